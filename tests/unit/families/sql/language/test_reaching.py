"""What would touch files, load code or go elsewhere is known before it is sent."""

import pytest

from gainsay.families.sql.language.reaching import out


@pytest.mark.parametrize(
    "text",
    [
        "ATTACH 'x' AS y", "attach database 'x' as y", "SELECT 1; COPY t TO 'f'", "COPY t FROM 'f'",
        "SELECT load_extension('x')", "SELECT * FROM 'a.csv'", "SELECT * FROM read_csv('a')", "VACUUM INTO 'x'",
        "SELECT readfile ('x')", "EXPLAIN ANALYZE COPY t TO 'x'", ".read x", ".shell ls", "\\! ls", "INSTALL httpfs",
        "LOAD 'x'", "LOAD DATA INFILE 'x' INTO TABLE t", "SELECT 1 INTO OUTFILE 'x'",
        "/*!50000 SELECT 1 INTO OUTFILE 'x' */",
        "SELECT E'\\'', pg_read_file('x'), '", "SELECT lo_import('x')", "DO $$ BEGIN END $$", "CREATE EXTENSION x",
        "CREATE OR REPLACE FUNCTION f() RETURNS int", "PRAGMA temp_store_directory = 'x'",
        "CREATE TABLE t(a) ENGINE=CONNECT",
        "SELECT * FROM glob('*')", "EXPORT DATABASE 'x'", "SET GLOBAL general_log = 1", "SELECT * FROM url('x')",
    ],
)  # fmt: skip
def test_what_reaches_out_is_named(text):
    assert out(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1", "SELECT 'ATTACH', 'load_extension(1)' -- COPY t TO x", "CREATE TABLE copy(load INT)",
        "SELECT x GLOB ('a*') FROM t", "INSERT INTO t SELECT * FROM u", "VACUUM", "PRAGMA automatic_index = 0",
        "SELECT count(*) FROM files", "CREATE INDEX i ON t(a)", "SET enable_hashjoin = off",
    ],
)  # fmt: skip
def test_what_stays_inside_is_let_through(text):
    assert out(text) == ""
