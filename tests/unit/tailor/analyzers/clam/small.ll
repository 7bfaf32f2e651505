; ModuleID = 'small.c'
source_filename = "small.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = internal global [10 x i32] zeroinitializer, align 16, !dbg !0
@.src = private unnamed_addr constant [8 x i8] c"small.c\00", align 1
@0 = private unnamed_addr constant { i16, i16, [10 x i8] } { i16 -1, i16 0, [10 x i8] c"'int[10]'\00" }
@1 = private unnamed_addr constant { i16, i16, [6 x i8] } { i16 0, i16 11, [6 x i8] c"'int'\00" }
@2 = private unnamed_addr constant { i16, i16, [9 x i8] } { i16 -1, i16 0, [9 x i8] c"'int[4]'\00" }

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @element(i32 noundef %n) #0 !dbg !18 {
entry:
  %retval = alloca i32, align 4
  %n.addr = alloca i32, align 4
  store i32 %n, i32* %n.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %n.addr, metadata !22, metadata !DIExpression()), !dbg !23
  %0 = load i32, i32* %n.addr, align 4, !dbg !24
  %cmp = icmp slt i32 %0, 0, !dbg !26
  br i1 %cmp, label %if.then, label %lor.lhs.false, !dbg !27

lor.lhs.false:                                    ; preds = %entry
  %1 = load i32, i32* %n.addr, align 4, !dbg !28
  %cmp1 = icmp sge i32 %1, 10, !dbg !29
  br i1 %cmp1, label %if.then, label %if.end, !dbg !30

if.then:                                          ; preds = %lor.lhs.false, %entry
  store i32 0, i32* %retval, align 4, !dbg !31
  br label %return, !dbg !31

if.end:                                           ; preds = %lor.lhs.false
  %2 = load i32, i32* %n.addr, align 4, !dbg !32
  %3 = sext i32 %2 to i64, !dbg !33, !nosanitize !21
  %4 = icmp ult i64 %3, 10, !dbg !33, !nosanitize !21
  br i1 %4, label %cont, label %handler.out_of_bounds, !dbg !33, !prof !34, !nosanitize !21

handler.out_of_bounds:                            ; preds = %if.end
  call void @__ubsan_handle_out_of_bounds_minimal() #4, !dbg !33, !nosanitize !21
  br label %cont, !dbg !33, !nosanitize !21

cont:                                             ; preds = %handler.out_of_bounds, %if.end
  %idxprom = sext i32 %2 to i64, !dbg !33
  %arrayidx = getelementptr inbounds [10 x i32], [10 x i32]* @table, i64 0, i64 %idxprom, !dbg !33
  %5 = load i32, i32* %arrayidx, align 4, !dbg !33
  store i32 %5, i32* %retval, align 4, !dbg !35
  br label %return, !dbg !35

return:                                           ; preds = %cont, %if.then
  %6 = load i32, i32* %retval, align 4, !dbg !36
  ret i32 %6, !dbg !36
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: uwtable
declare void @__ubsan_handle_out_of_bounds_minimal() #2

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @beyond(i32 noundef %n) #0 !dbg !37 {
entry:
  %n.addr = alloca i32, align 4
  %row = alloca [4 x i32], align 16
  %i = alloca i32, align 4
  store i32 %n, i32* %n.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %n.addr, metadata !38, metadata !DIExpression()), !dbg !39
  call void @llvm.dbg.declare(metadata [4 x i32]* %row, metadata !40, metadata !DIExpression()), !dbg !44
  call void @llvm.dbg.declare(metadata i32* %i, metadata !45, metadata !DIExpression()), !dbg !46
  store i32 0, i32* %i, align 4, !dbg !47
  br label %for.cond, !dbg !49

for.cond:                                         ; preds = %cont1, %entry
  %0 = load i32, i32* %i, align 4, !dbg !50
  %cmp = icmp slt i32 %0, 4, !dbg !52
  br i1 %cmp, label %for.body, label %for.end, !dbg !53

for.body:                                         ; preds = %for.cond
  %1 = load i32, i32* %n.addr, align 4, !dbg !54
  %2 = load i32, i32* %i, align 4, !dbg !55
  %3 = sext i32 %2 to i64, !dbg !56, !nosanitize !21
  %4 = icmp ult i64 %3, 4, !dbg !56, !nosanitize !21
  br i1 %4, label %cont, label %handler.out_of_bounds, !dbg !56, !prof !34, !nosanitize !21

handler.out_of_bounds:                            ; preds = %for.body
  call void @__ubsan_handle_out_of_bounds_minimal() #4, !dbg !56, !nosanitize !21
  br label %cont, !dbg !56, !nosanitize !21

cont:                                             ; preds = %handler.out_of_bounds, %for.body
  %idxprom = sext i32 %2 to i64, !dbg !56
  %arrayidx = getelementptr inbounds [4 x i32], [4 x i32]* %row, i64 0, i64 %idxprom, !dbg !56
  store i32 %1, i32* %arrayidx, align 4, !dbg !56
  br label %for.inc, !dbg !57

for.inc:                                          ; preds = %cont
  %5 = load i32, i32* %i, align 4, !dbg !58
  %6 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %5, i32 1), !dbg !58, !nosanitize !21
  %7 = extractvalue { i32, i1 } %6, 0, !dbg !58, !nosanitize !21
  %8 = extractvalue { i32, i1 } %6, 1, !dbg !58, !nosanitize !21
  %9 = xor i1 %8, true, !dbg !58, !nosanitize !21
  br i1 %9, label %cont1, label %handler.add_overflow, !dbg !58, !prof !34, !nosanitize !21

handler.add_overflow:                             ; preds = %for.inc
  call void @__ubsan_handle_add_overflow_minimal() #4, !dbg !58, !nosanitize !21
  br label %cont1, !dbg !58, !nosanitize !21

cont1:                                            ; preds = %handler.add_overflow, %for.inc
  store i32 %7, i32* %i, align 4, !dbg !58
  br label %for.cond, !dbg !59, !llvm.loop !60

for.end:                                          ; preds = %for.cond
  %10 = load i32, i32* %i, align 4, !dbg !63
  %11 = sext i32 %10 to i64, !dbg !64, !nosanitize !21
  %12 = icmp ult i64 %11, 4, !dbg !64, !nosanitize !21
  br i1 %12, label %cont3, label %handler.out_of_bounds2, !dbg !64, !prof !34, !nosanitize !21

handler.out_of_bounds2:                           ; preds = %for.end
  call void @__ubsan_handle_out_of_bounds_minimal() #4, !dbg !64, !nosanitize !21
  br label %cont3, !dbg !64, !nosanitize !21

cont3:                                            ; preds = %handler.out_of_bounds2, %for.end
  %idxprom4 = sext i32 %10 to i64, !dbg !64
  %arrayidx5 = getelementptr inbounds [4 x i32], [4 x i32]* %row, i64 0, i64 %idxprom4, !dbg !64
  %13 = load i32, i32* %arrayidx5, align 4, !dbg !64
  %14 = load i32, i32* %i, align 4, !dbg !65
  %15 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %14, i32 1), !dbg !66, !nosanitize !21
  %16 = extractvalue { i32, i1 } %15, 0, !dbg !66, !nosanitize !21
  %17 = extractvalue { i32, i1 } %15, 1, !dbg !66, !nosanitize !21
  %18 = xor i1 %17, true, !dbg !66, !nosanitize !21
  br i1 %18, label %cont7, label %handler.add_overflow6, !dbg !66, !prof !34, !nosanitize !21

handler.add_overflow6:                            ; preds = %cont3
  call void @__ubsan_handle_add_overflow_minimal() #4, !dbg !66, !nosanitize !21
  br label %cont7, !dbg !66, !nosanitize !21

cont7:                                            ; preds = %handler.add_overflow6, %cont3
  %19 = sext i32 %16 to i64, !dbg !67, !nosanitize !21
  %20 = icmp ult i64 %19, 4, !dbg !67, !nosanitize !21
  br i1 %20, label %cont9, label %handler.out_of_bounds8, !dbg !67, !prof !34, !nosanitize !21

handler.out_of_bounds8:                           ; preds = %cont7
  call void @__ubsan_handle_out_of_bounds_minimal() #4, !dbg !67, !nosanitize !21
  br label %cont9, !dbg !67, !nosanitize !21

cont9:                                            ; preds = %handler.out_of_bounds8, %cont7
  %idxprom10 = sext i32 %16 to i64, !dbg !67
  %arrayidx11 = getelementptr inbounds [4 x i32], [4 x i32]* %row, i64 0, i64 %idxprom10, !dbg !67
  %21 = load i32, i32* %arrayidx11, align 4, !dbg !67
  %22 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %13, i32 %21), !dbg !68, !nosanitize !21
  %23 = extractvalue { i32, i1 } %22, 0, !dbg !68, !nosanitize !21
  %24 = extractvalue { i32, i1 } %22, 1, !dbg !68, !nosanitize !21
  %25 = xor i1 %24, true, !dbg !68, !nosanitize !21
  br i1 %25, label %cont13, label %handler.add_overflow12, !dbg !68, !prof !34, !nosanitize !21

handler.add_overflow12:                           ; preds = %cont9
  call void @__ubsan_handle_add_overflow_minimal() #4, !dbg !68, !nosanitize !21
  br label %cont13, !dbg !68, !nosanitize !21

cont13:                                           ; preds = %handler.add_overflow12, %cont9
  ret i32 %23, !dbg !69
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #1

; Function Attrs: uwtable
declare void @__ubsan_handle_add_overflow_minimal() #2

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @quotient(i32 noundef %a, i32 noundef %b) #0 !dbg !70 {
entry:
  %a.addr = alloca i32, align 4
  %b.addr = alloca i32, align 4
  store i32 %a, i32* %a.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %a.addr, metadata !73, metadata !DIExpression()), !dbg !74
  store i32 %b, i32* %b.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %b.addr, metadata !75, metadata !DIExpression()), !dbg !76
  %0 = load i32, i32* %a.addr, align 4, !dbg !77
  %1 = load i32, i32* %b.addr, align 4, !dbg !78
  %2 = icmp ne i32 %1, 0, !dbg !79, !nosanitize !21
  %3 = icmp ne i32 %0, -2147483648, !dbg !79, !nosanitize !21
  %4 = icmp ne i32 %1, -1, !dbg !79, !nosanitize !21
  %or = or i1 %3, %4, !dbg !79, !nosanitize !21
  %5 = and i1 %2, %or, !dbg !79, !nosanitize !21
  br i1 %5, label %cont, label %handler.divrem_overflow, !dbg !79, !prof !34, !nosanitize !21

handler.divrem_overflow:                          ; preds = %entry
  call void @__ubsan_handle_divrem_overflow_minimal() #4, !dbg !79, !nosanitize !21
  br label %cont, !dbg !79, !nosanitize !21

cont:                                             ; preds = %handler.divrem_overflow, %entry
  %div = sdiv i32 %0, %1, !dbg !79
  ret i32 %div, !dbg !80
}

; Function Attrs: uwtable
declare void @__ubsan_handle_divrem_overflow_minimal() #2

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @freed() #0 !dbg !81 {
entry:
  %retval = alloca i32, align 4
  %p = alloca i32*, align 8
  call void @llvm.dbg.declare(metadata i32** %p, metadata !84, metadata !DIExpression()), !dbg !86
  %call = call noalias i8* @malloc(i64 noundef 4) #4, !dbg !87
  %0 = bitcast i8* %call to i32*, !dbg !87
  store i32* %0, i32** %p, align 8, !dbg !86
  %1 = load i32*, i32** %p, align 8, !dbg !88
  %tobool = icmp ne i32* %1, null, !dbg !88
  br i1 %tobool, label %if.end, label %if.then, !dbg !90

if.then:                                          ; preds = %entry
  store i32 0, i32* %retval, align 4, !dbg !91
  br label %return, !dbg !91

if.end:                                           ; preds = %entry
  %2 = load i32*, i32** %p, align 8, !dbg !92
  store i32 1, i32* %2, align 4, !dbg !93
  %3 = load i32*, i32** %p, align 8, !dbg !94
  %4 = bitcast i32* %3 to i8*, !dbg !94
  call void @free(i8* noundef %4) #4, !dbg !95
  %5 = load i32*, i32** %p, align 8, !dbg !96
  %6 = load i32, i32* %5, align 4, !dbg !97
  store i32 %6, i32* %retval, align 4, !dbg !98
  br label %return, !dbg !98

return:                                           ; preds = %if.end, %if.then
  %7 = load i32, i32* %retval, align 4, !dbg !99
  ret i32 %7, !dbg !99
}

; Function Attrs: nounwind
declare noalias i8* @malloc(i64 noundef) #3

; Function Attrs: nounwind
declare void @free(i8* noundef) #3

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { uwtable }
attributes #3 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!10, !11, !12, !13, !14, !15, !16}
!llvm.ident = !{!17}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !5, line: 5, type: !6, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "small.c", directory: ".", checksumkind: CSK_MD5, checksum: "c8ef5bfd7c882441683e1e1484204f27")
!4 = !{!0}
!5 = !DIFile(filename: "small.c", directory: "", checksumkind: CSK_MD5, checksum: "c8ef5bfd7c882441683e1e1484204f27")
!6 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 320, elements: !8)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !{!9}
!9 = !DISubrange(count: 10)
!10 = !{i32 7, !"Dwarf Version", i32 5}
!11 = !{i32 2, !"Debug Info Version", i32 3}
!12 = !{i32 1, !"wchar_size", i32 4}
!13 = !{i32 7, !"PIC Level", i32 2}
!14 = !{i32 7, !"PIE Level", i32 2}
!15 = !{i32 7, !"uwtable", i32 1}
!16 = !{i32 7, !"frame-pointer", i32 2}
!17 = !{!"Debian clang version 14.0.6"}
!18 = distinct !DISubprogram(name: "element", scope: !5, file: !5, line: 7, type: !19, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !21)
!19 = !DISubroutineType(types: !20)
!20 = !{!7, !7}
!21 = !{}
!22 = !DILocalVariable(name: "n", arg: 1, scope: !18, file: !5, line: 7, type: !7)
!23 = !DILocation(line: 7, column: 17, scope: !18)
!24 = !DILocation(line: 8, column: 7, scope: !25)
!25 = distinct !DILexicalBlock(scope: !18, file: !5, line: 8, column: 7)
!26 = !DILocation(line: 8, column: 9, scope: !25)
!27 = !DILocation(line: 8, column: 13, scope: !25)
!28 = !DILocation(line: 8, column: 16, scope: !25)
!29 = !DILocation(line: 8, column: 18, scope: !25)
!30 = !DILocation(line: 8, column: 7, scope: !18)
!31 = !DILocation(line: 9, column: 5, scope: !25)
!32 = !DILocation(line: 10, column: 16, scope: !18)
!33 = !DILocation(line: 10, column: 10, scope: !18)
!34 = !{!"branch_weights", i32 1048575, i32 1}
!35 = !DILocation(line: 10, column: 3, scope: !18)
!36 = !DILocation(line: 11, column: 1, scope: !18)
!37 = distinct !DISubprogram(name: "beyond", scope: !5, file: !5, line: 13, type: !19, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !21)
!38 = !DILocalVariable(name: "n", arg: 1, scope: !37, file: !5, line: 13, type: !7)
!39 = !DILocation(line: 13, column: 16, scope: !37)
!40 = !DILocalVariable(name: "row", scope: !37, file: !5, line: 14, type: !41)
!41 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 128, elements: !42)
!42 = !{!43}
!43 = !DISubrange(count: 4)
!44 = !DILocation(line: 14, column: 7, scope: !37)
!45 = !DILocalVariable(name: "i", scope: !37, file: !5, line: 14, type: !7)
!46 = !DILocation(line: 14, column: 15, scope: !37)
!47 = !DILocation(line: 15, column: 10, scope: !48)
!48 = distinct !DILexicalBlock(scope: !37, file: !5, line: 15, column: 3)
!49 = !DILocation(line: 15, column: 8, scope: !48)
!50 = !DILocation(line: 15, column: 15, scope: !51)
!51 = distinct !DILexicalBlock(scope: !48, file: !5, line: 15, column: 3)
!52 = !DILocation(line: 15, column: 17, scope: !51)
!53 = !DILocation(line: 15, column: 3, scope: !48)
!54 = !DILocation(line: 16, column: 14, scope: !51)
!55 = !DILocation(line: 16, column: 9, scope: !51)
!56 = !DILocation(line: 16, column: 12, scope: !51)
!57 = !DILocation(line: 16, column: 5, scope: !51)
!58 = !DILocation(line: 15, column: 23, scope: !51)
!59 = !DILocation(line: 15, column: 3, scope: !51)
!60 = distinct !{!60, !53, !61, !62}
!61 = !DILocation(line: 16, column: 14, scope: !48)
!62 = !{!"llvm.loop.mustprogress"}
!63 = !DILocation(line: 17, column: 14, scope: !37)
!64 = !DILocation(line: 17, column: 10, scope: !37)
!65 = !DILocation(line: 17, column: 23, scope: !37)
!66 = !DILocation(line: 17, column: 25, scope: !37)
!67 = !DILocation(line: 17, column: 19, scope: !37)
!68 = !DILocation(line: 17, column: 17, scope: !37)
!69 = !DILocation(line: 17, column: 3, scope: !37)
!70 = distinct !DISubprogram(name: "quotient", scope: !5, file: !5, line: 20, type: !71, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !21)
!71 = !DISubroutineType(types: !72)
!72 = !{!7, !7, !7}
!73 = !DILocalVariable(name: "a", arg: 1, scope: !70, file: !5, line: 20, type: !7)
!74 = !DILocation(line: 20, column: 18, scope: !70)
!75 = !DILocalVariable(name: "b", arg: 2, scope: !70, file: !5, line: 20, type: !7)
!76 = !DILocation(line: 20, column: 25, scope: !70)
!77 = !DILocation(line: 21, column: 10, scope: !70)
!78 = !DILocation(line: 21, column: 14, scope: !70)
!79 = !DILocation(line: 21, column: 12, scope: !70)
!80 = !DILocation(line: 21, column: 3, scope: !70)
!81 = distinct !DISubprogram(name: "freed", scope: !5, file: !5, line: 24, type: !82, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !21)
!82 = !DISubroutineType(types: !83)
!83 = !{!7}
!84 = !DILocalVariable(name: "p", scope: !81, file: !5, line: 25, type: !85)
!85 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64)
!86 = !DILocation(line: 25, column: 8, scope: !81)
!87 = !DILocation(line: 25, column: 12, scope: !81)
!88 = !DILocation(line: 26, column: 8, scope: !89)
!89 = distinct !DILexicalBlock(scope: !81, file: !5, line: 26, column: 7)
!90 = !DILocation(line: 26, column: 7, scope: !81)
!91 = !DILocation(line: 27, column: 5, scope: !89)
!92 = !DILocation(line: 28, column: 4, scope: !81)
!93 = !DILocation(line: 28, column: 6, scope: !81)
!94 = !DILocation(line: 29, column: 8, scope: !81)
!95 = !DILocation(line: 29, column: 3, scope: !81)
!96 = !DILocation(line: 30, column: 11, scope: !81)
!97 = !DILocation(line: 30, column: 10, scope: !81)
!98 = !DILocation(line: 30, column: 3, scope: !81)
!99 = !DILocation(line: 31, column: 1, scope: !81)
