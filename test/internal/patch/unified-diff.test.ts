// Unified diffs as diff, git and models write them: accepted diffs, and rejected ones with the line
// of the error.
import { describe, expect, it } from 'vitest'
import { readUnified } from '../../../internal/patch/unified-diff.ts'
import { refusalOf } from '../../support/refusal.ts'

const brief = (text: string, path?: string) =>
  readUnified(text, path).map(({ kind, path: name, from, executable, hunks }) => ({
    kind,
    path: name,
    ...(from !== undefined && { from }),
    ...(executable !== undefined && { executable }),
    hunks: hunks.map(
      (hunk) =>
        `${hunk.start ?? '?'}:${hunk.lines.map(({ op, text: line }) => op + JSON.stringify(line).slice(1, -1)).join('|')}`,
    ),
  }))

const hunk = '@@ -1 +1 @@\n-a\n+b\n'

describe('understands', () => {
  it.each<[string, string, unknown]>([
    ['a plain diff', `--- a/f\n+++ b/f\n${hunk}`, [{ kind: 'modify', path: 'f', hunks: ['1:-a\\n|+b\\n'] }]],
    [
      'dates',
      `--- f\t2024-01-01\n+++ f\t2024-01-02\n${hunk}`,
      [{ kind: 'modify', path: 'f', hunks: ['1:-a\\n|+b\\n'] }],
    ],
    [
      'several files',
      `--- a/f\n+++ b/f\n${hunk}--- a/g\n+++ b/g\n${hunk}`,
      [
        { kind: 'modify', path: 'f', hunks: ['1:-a\\n|+b\\n'] },
        { kind: 'modify', path: 'g', hunks: ['1:-a\\n|+b\\n'] },
      ],
    ],
    [
      'creation',
      '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n',
      [{ kind: 'create', path: 'f', hunks: ['1:+a\\n'] }],
    ],
    [
      'removal',
      '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
      [{ kind: 'delete', path: 'f', hunks: ['1:-a\\n'] }],
    ],
    [
      'an empty new file',
      'diff --git a/f b/f\nnew file mode 100755\nindex 0000000..e69de29\n',
      [{ kind: 'create', path: 'f', executable: true, hunks: [] }],
    ],
    [
      'a mode',
      'diff --git a/f b/f\nold mode 100644\nnew mode 100755\n',
      [{ kind: 'modify', path: 'f', executable: true, hunks: [] }],
    ],
    [
      'a rename with changes',
      `diff --git a/f b/g\nsimilarity index 50%\nrename from f\nrename to g\nindex 1..2 100644\n--- a/f\n+++ b/g\n${hunk}`,
      [{ kind: 'rename', path: 'g', from: 'f', hunks: ['1:-a\\n|+b\\n'] }],
    ],
    [
      'a copy',
      'diff --git a/f b/g\nsimilarity index 100%\ncopy from f\ncopy to g\n',
      [{ kind: 'copy', path: 'g', from: 'f', hunks: [] }],
    ],
    [
      'no prefixes',
      `diff --git a/f a/f\n--- a/f\n+++ a/f\n${hunk}`,
      [{ kind: 'modify', path: 'a/f', hunks: ['1:-a\\n|+b\\n'] }],
    ],
    [
      'a missing last line end',
      '--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n',
      [{ kind: 'modify', path: 'f', hunks: ['1:-a|+b'] }],
    ],
    [
      'CR as content',
      '--- f\n+++ f\n@@ -1 +1 @@\n-a\r\n+b\r\n',
      [{ kind: 'modify', path: 'f', hunks: ['1:-a\\r\\n|+b\\r\\n'] }],
    ],
    [
      'CR of the transport',
      '--- f\r\n+++ f\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n',
      [{ kind: 'modify', path: 'f', hunks: ['1:-a\\n|+b\\n'] }],
    ],
    [
      'blank lines without their blank',
      '--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n',
      [{ kind: 'modify', path: 'f', hunks: ['1: a\\n| \\n|-b\\n|+c\\n'] }],
    ],
    [
      'wrong counts',
      '--- f\n+++ f\n@@ -1,9 +1,9 @@\n a\n-b\n+c\n@@ -20 +20 @@\n-x\n+y\n',
      [{ kind: 'modify', path: 'f', hunks: ['1: a\\n|-b\\n|+c\\n', '20:-x\\n|+y\\n'] }],
    ],
    [
      'counts that are too small',
      '--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n+c\n d\n',
      [{ kind: 'modify', path: 'f', hunks: ['1:-a\\n|+b\\n|+c\\n| d\\n'] }],
    ],
    [
      'no counts',
      '--- f\n+++ f\n@@ @@\n-a\n+b\n\n',
      [{ kind: 'modify', path: 'f', hunks: ['?:-a\\n|+b\\n'] }],
    ],
    [
      'lines that look like headers',
      '--- f\n+++ f\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n a\n',
      [{ kind: 'modify', path: 'f', hunks: ['1:--- x\\n|+++ y\\n| a\\n'] }],
    ],
    [
      'insertions without context',
      '--- f\n+++ f\n@@ -3,0 +4 @@\n+a\n',
      [{ kind: 'modify', path: 'f', hunks: ['4:+a\\n'] }],
    ],
    [
      'a mail around it',
      `From 1234\nSubject: x\n\nWords.\n---\n f | 2 +-\n\ndiff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n${hunk}-- \n2.39.5\n\n`,
      [{ kind: 'modify', path: 'f', hunks: ['1:-a\\n|+b\\n'] }],
    ],
    [
      'Subversion headers',
      `Index: f\n====\n--- f\t(revision 1)\n+++ f\t(working copy)\n${hunk}`,
      [{ kind: 'modify', path: 'f', hunks: ['1:-a\\n|+b\\n'] }],
    ],
  ])('%s', (_, text, expected) => {
    expect(brief(text)).toEqual(expected)
  })

  it('reads hunks without a header if the file is known', () => {
    expect(brief(hunk, 'known')).toEqual([{ kind: 'modify', path: 'known', hunks: ['1:-a\\n|+b\\n'] }])
  })
})

describe('rejects', () => {
  it.each<[string, string, string, number | undefined]>([
    ['nothing', '', 'bad_patch', undefined],
    ['prose', 'hello\nworld\n', 'bad_patch', undefined],
    ['hunks of no file', hunk, 'bad_patch', undefined],
    ['a header alone', '--- a/f\n+++ b/f\n', 'bad_patch', 1],
    ['an empty hunk', '--- a/f\n+++ b/f\n@@ -1 +1 @@\n', 'bad_patch', 3],
    ['a line without prefix', '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\nb\n-c\n', 'bad_patch', 5],
    ['text behind a hunk', `--- a/f\n+++ b/f\n${hunk}what is this\n`, 'bad_patch', 6],
    ['context in a new file', '--- /dev/null\n+++ b/f\n@@ -1 +1,2 @@\n a\n+b\n', 'bad_patch', 1],
    ['both names missing', `--- /dev/null\n+++ /dev/null\n${hunk}`, 'bad_patch', 1],
    [
      'a symbolic link',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n',
      'bad_patch',
      2,
    ],
    ['a submodule', 'diff --git a/s b/s\nnew file mode 160000\n', 'bad_patch', 2],
    ['a merge', 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n', 'bad_patch', 4],
    ['a rename from nowhere', 'diff --git a/f b/g\nrename to g\n', 'bad_patch', 1],
    [
      'a binary patch',
      'diff --git a/i b/i\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmb;\n',
      'unsupported_binary_patch',
      3,
    ],
    [
      'binary files',
      'diff --git a/i b/i\nindex 1..2 100644\nBinary files a/i and b/i differ\n',
      'unsupported_binary_patch',
      3,
    ],
  ])('%s', async (_, text, code, line) => {
    const failure = await refusalOf(() => readUnified(text))
    expect(failure?.code).toBe(code)
    expect(failure?.detail?.line).toBe(line)
  })
})
