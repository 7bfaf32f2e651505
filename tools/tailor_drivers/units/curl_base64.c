/* Drives curl's base64.c: encodes unknown bytes and decodes unknown text.
   curl's large set-up headers are replaced by the few names the file uses. */
#include <stdlib.h>
#include <string.h>
#include "__fc_builtin.h"

#define HEADER_CURL_SETUP_H
#define HEADER_CURL_URLDATA_H
#define HEADER_CURL_WARNLESS_H
#define HEADER_CURL_MEMORY_H
#define HEADER_CURL_MEMDEBUG_H
typedef enum { CURLE_OK, CURLE_OUT_OF_MEMORY = 27, CURLE_BAD_CONTENT_ENCODING = 61 } CURLcode;

#include "../src/curl/lib/base64.c"

static char bytes[48], text[65];

int main(void) {
    char *coded = NULL;
    unsigned char *decoded = NULL;
    size_t coded_len = 0, decoded_len = 0;
    Frama_C_make_unknown(bytes, sizeof bytes);
    Frama_C_make_unknown(text, 64);
    Curl_base64_encode(bytes, Frama_C_interval(1, sizeof bytes), &coded, &coded_len);
    free(coded);
    Curl_base64url_encode(bytes, Frama_C_interval(1, 10), &coded, &coded_len);
    free(coded);
    Curl_base64_decode(text, &decoded, &decoded_len);
    free(decoded);
    return (int) (coded_len + decoded_len);
}
