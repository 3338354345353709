// The parts of a command: its words, their certainty, and their positions.
import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { analyzeLine } from '../../../../internal/policy/shell/line-analysis.ts'

/** Returns the parts as words joined by `|`, with `?` after the last certain word and `!` if more may run. */
async function parts(line: string): Promise<string[]> {
  const found = await analyzeLine(line)
  return found.parts.map((part) => {
    const words = part.words.map((word, i) => (i >= part.known ? `${word}?` : word)).join('|')
    return `${words}${part.unseen ? '!' : ''}${part.via.length > 0 ? ` < ${part.via.join(' < ')}` : ''}`
  })
}

test.each([
  ['git log -1', ['git|log|-1']],
  ['  ls\t-la  ', ['ls|-la']],
  ['ls "a b" \'c\' d\\ e', ['ls|a b|c|d e']],
  ['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
  ['echo $X "$Y" z', ['echo|$X?|$Y?|z?']],
  ['echo *.ts b', ['echo|*.ts?|b?']],
  ['sudo -u x env A=1 rm y', ['sudo|-u|x|env|A=1|rm|y', 'env|A=1|rm|y < sudo', 'rm|y < sudo < env']],
  ["bash -c 'ls; rm x'", ['bash|-c|ls; rm x', 'ls < bash -c', 'rm|x < bash -c']],
  ['ls | xargs rm -f', ['ls', 'xargs|rm|-f', 'rm|-f|…? < xargs']],
  ['find . -exec rm {} +', ['find|.|-exec|rm|{}|+', 'rm|{}? < find -exec']],
  ['eval "$X"', ['eval|$X?!', '$X?! < eval']],
  ['X=1', ['']],
  ['> f', ['']],
  ['cat > f a b', ['cat|a|b']],
  ['git -c a.b=c --no-pager log', ['git|-c|a.b=c|--no-pager|log', 'git|log < git']],
  ['ssh -p 1 h "rm x" y', ['ssh|-p|1|h|rm x|y', 'rm|x|y < ssh']],
])('%j', async (line, expected) => expect(await parts(line)).toEqual(expected))

test('finds redirections', async () => {
  const { parts: found } = await analyzeLine('a < in > "o 1" 2>> ~/e &> $X; b <&0 >&2 2>&- >/dev/null')
  expect(found[0]).toMatchObject({ reads: ['in'], writes: ['o 1', `${homedir()}/e`, undefined] })
  expect(found[1]).toMatchObject({ reads: [], writes: [] })
})

test('finds changes of directory', async () => {
  const moves = async (line: string) => (await analyzeLine(line)).moves
  expect(await moves('cd a && cd b; pushd "c d"')).toEqual(['a', 'b', 'c d'])
  expect(await moves('cd ../a; cd /b/c; cd ./d')).toEqual(['../a', '/b/c', './d'])
  // after a link the shell and the file system disagree about the parent directory
  expect(await moves('cd a/..; cd /a/../b; cd a/./..; cd a//../b; cd b/..')).toEqual(Array(5).fill(undefined))
  expect(await moves('cd a && cd ..; cd a; cd ./..')).toEqual(['a', undefined, 'a', undefined])
  expect(await moves('cd -- a; cd -P b')).toEqual(['a', 'b'])
  expect(await moves('cd; cd ~')).toEqual([homedir(), homedir()])
  expect(await moves('cd -; popd; cd $X; cd a*')).toEqual([undefined, undefined, undefined, undefined])
  expect(await moves('env -C x ls; ssh h ls; env A=1 ls')).toEqual([undefined, undefined])
  expect(await moves("bash -c 'cd a'")).toEqual(['a'])
})

test('finds the positions of globs', async () => {
  expect((await analyzeLine("ls *.ts 'x*' b? \\*")).parts[0]?.globs).toEqual([1, 3])
})

test.each([
  ['ls \u0007', 'invisible characters'],
  ['ls "', 'a syntax that the grammar does not know'],
  ["bash -c 'ls \"'", 'a syntax that the grammar does not know, inside bash -c'],
  ['a <<A <<B\nA\nB', 'a syntax that the grammar does not know'],
  ['x'.repeat(300_000), 'more than 16384 characters'],
])('%.40j is opaque', async (line, why) => {
  const found = await analyzeLine(line)
  expect(found.opaque).toBe(why)
})

test('the nesting of scripts and wrappers is limited', async () => {
  const found = await analyzeLine(`${'eval '.repeat(60)}rm x`)
  expect(found.parts).toHaveLength(11)
  expect(found.parts.at(-1)?.unseen).toBe(true)
  const wrapped = await analyzeLine(`${'nohup '.repeat(60)}rm x`)
  expect(wrapped.parts.at(-1)).toMatchObject({
    opaque: expect.stringContaining('another command'),
    unseen: true,
  })
})

test('reads the same command the same way twice, also after a failed one', async () => {
  const before = await analyzeLine('a "$(b)"')
  await analyzeLine('((((((')
  expect(await analyzeLine('a "$(b)"')).toEqual(before)
})
