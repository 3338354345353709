// Where the grammar reads other tokens than the shell.
import { expect, test } from 'vitest'
import { parseShell } from '../../../../../internal/policy/shell/syntax/grammar.ts'
import { findMisreading } from '../../../../../internal/policy/shell/syntax/token-check.ts'

async function why(line: string): Promise<string | undefined> {
  const tree = await parseShell(line)
  if (typeof tree === 'string') throw new Error(tree)
  const found = findMisreading(tree.root, line)
  return found
}

test.each([
  ...[
    'ls',
    'a b; c && d | e',
    'a>b 2>&1',
    'a 2> b',
    'a 22>b',
    'a b2>c',
    '(a)',
    '{ a; }',
    '! a',
    'a "b"c\'d\'',
    'a;b',
    'a&b',
  ],
  ...[
    'if a; then b; fi',
    'for i in a b; do c; done',
    'case a in b|c) d;; esac',
    'f() { a; }',
    '[ a = b ]',
    'a # b',
    '#a',
    'a;#b',
  ],
  ...[
    'a \\\n b',
    'a <<E\nb\nE',
    "a <<'E'\n$x\nE\nc",
    'a <<-E\n\tb\n\tE',
    'a <<E | b\nc\nE',
    '\n\na\n\n',
    'a <<<b',
    'a 2 >b',
  ],
])('%j is read alike', async (line) => expect(await why(line)).toBeUndefined())

test.each([
  ...['a\\\nb', 'a &\\\n& b', '{a;}', 'a\\ \tb\rc', 'a\u000bb', 'a <<E\nb\\\nE\nE'],
  ...['a <<E"F"\nb\nEF', 'a <<\\E\nb\nE'],
])('%j may be read differently', async (line) => expect(await why(line)).toMatch(/\S/))

// a comment inside of what the grammar reads as one token, or in a place where the shell reads none
test.each([
  ...['x#$(y)\n=', 'x#;y\n+=1', 'export x#`y`\n=1', '[ a # b\n]', '[[ a == # b\n b ]]', 'a > # b\nc'],
  ...['a $((1 #$(b)\n+2))', '((1 #b\n+2))', 'x=(a #c\n b)'],
])('%j hides commands from the grammar', async (line) => expect(await why(line)).toMatch(/\S/))

test.each([
  ...['a | # b\nc', 'a && # b\nc', 'if a # b\nthen c # d\nfi # e', 'case x in # c\n a) b;; # d\n esac'],
  ...['f() # x\n{ # y\na; }', 'echo "$(# x\na)"', 'cat <<E # x\nf\nE', '! # x\na'],
])('%j has comments where the shell reads them', async (line) => expect(await why(line)).toBeUndefined())
