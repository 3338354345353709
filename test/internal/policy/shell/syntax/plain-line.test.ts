// Which lines need no grammar, and that reading them without gives the same result.
import { expect, test } from 'vitest'
import { parseShell } from '../../../../../internal/policy/shell/syntax/grammar.ts'
import { readPlainLine, reservedWords } from '../../../../../internal/policy/shell/syntax/plain-line.ts'
import { readTree } from '../../../../../internal/policy/shell/syntax/tree-reader.ts'

const easy = ['ls', ' git log -1 ', 'npm run test:unit -- --run', 'a/b.c x=1 y,z @a %1 +x', 'echo if\tthen']

test.each(easy)('reads %j in the same way as the grammar', async (line) => {
  const quick = readPlainLine(line)
  const tree = await parseShell(line)
  if (typeof tree === 'string') throw new Error(tree)
  expect(quick).toEqual(readTree(tree, line))
})

test.each([
  ...[
    'ls; rm',
    'a|b',
    'a&b',
    'a>b',
    'a "b"',
    "a 'b'",
    'a $b',
    'a `b`',
    'a *',
    'a ?',
    'a [b]',
    'a {b}',
    'a ~',
    'a #b',
  ],
  ...['a\\b', 'a\nb', 'a!b', 'X=1 a', 'a\rb', 'a\u00a0b', '(a)', 'a^b', 'ä', '', ' ', ...reservedWords],
])('%j is not', (line) => expect(readPlainLine(line)).toBeUndefined())
