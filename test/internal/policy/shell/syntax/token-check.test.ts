// Where the grammar reads other tokens than the shell.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
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
])('%j may be read differently', async (line) => expect(await why(line)).toBeDefined())
