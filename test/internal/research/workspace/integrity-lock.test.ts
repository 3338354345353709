// Words of a measured command that name files: a file whose name is not found is neither sealed nor kept secret.
import { expect, test } from 'vitest'
import { commandWords } from '../../../../internal/research/workspace/integrity-lock.ts'
import { choice, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'
import { quoteWord } from '../../../support/shell-word.ts'

const plain = ['a.sh', 'tests/run.py', '/opt/x/measure.sh']
const blank = ['my tests/run.sh', '/data of mine/it is.sh', "Bob's files/a b.sh", 'a "b"/c.sh', 'a\\b c.sh']
const withBackslashes = (path: string) => path.replace(/[\s'"\\]/g, '\\$&')
const inDoubleQuotes = (path: string) => `"${path.replace(/["\\$`]/g, '\\$&')}"`
const spellings: readonly ((path: string) => string)[] = [
  quoteWord,
  inDoubleQuotes,
  withBackslashes,
  (path) => `${quoteWord(path.slice(0, 3))}${withBackslashes(path.slice(3))}`,
  (path) => `${withBackslashes(path.slice(0, 2))}${inDoubleQuotes(path.slice(2))}`,
]
const lines: readonly ((word: string) => string)[] = [
  (word) => `bash ${word} 3`,
  (word) => `FILE=${word}; node x.js`,
  (word) => `cat a.txt | ${word} > out.txt`,
  (word) => `(cd x && ${word})`,
  (word) => `sh -c ${quoteWord(`bash ${word}`)}`,
  (word) => `sh -c ${inDoubleQuotes(`bash -c ${quoteWord(`exec ${word}`)}`)}`,
  (word) => `test "$(bash ${word})" = 1`,
]

test('finds a file however its name is quoted', () => {
  const random = rng(17)
  for (let i = 0; i < rounds(400, 4_000); i++) {
    const path = choice(random, [...plain, ...blank])
    const word = choice(random, spellings)(path)
    // inside double quotes a second pair would end the first one
    const line = choice(random, word.includes('"') ? lines.slice(0, -1) : lines)(word)
    expect(commandWords(line), line).toContain(path)
  }
})

test('names each word once, without the current folder', () => {
  expect(commandWords('bash ./a.sh a.sh "b c" b')).toEqual(['bash', 'a.sh', 'a.sh', 'b', 'c', 'b c'])
})
