// The commands that wrappers run.
import { expect, test } from 'vitest'
import { programName, unwrapCommand } from '../../../../../internal/policy/shell/programs/wrappers.ts'
import { plainWord, type ShellWord } from '../../../../../internal/policy/shell/syntax/simple-command.ts'

/** Splits words at spaces. `_` is replaced by a space, and a word beginning with `$` is unknown. */
const words = (line: string): ShellWord[] =>
  line.split(' ').map((text) => ({ ...plainWord(text.replaceAll('_', ' ')), known: !text.startsWith('$') }))

function inside(line: string, stdin?: string) {
  const found = unwrapCommand(words(line), stdin)
  if (!found) return undefined
  const inner = found.inner.map((one) => one.map((word) => word.text).join(' '))
  return { inner: [...inner, ...found.scripts], unseen: found.unseen }
}

test.each([
  ['env A=1 B=2 rm x', ['rm x'], false],
  ['env -u A -i - rm x', ['rm x'], false],
  ['env', [], false],
  ['env -S rm_x', ['rm x'], false],
  ['sudo -u bob -- rm x', ['rm x'], false],
  ['sudo --user bob rm x', ['rm x'], false],
  ['sudo --unknown rm x', ['rm x'], true],
  ['timeout --foreground -k 5 10 rm x', ['rm x'], false],
  ['timeout $T rm x', ['rm x'], true],
  ['nice -10 rm x', ['rm x'], false],
  ['nice --adjustment=10 rm x', ['rm x'], false],
  ['xargs -0 -P4 -n 1 rm -f', ['rm -f …'], false],
  ['xargs -I R rm R/x', ['rm R/x …'], false],
  ['xargs', [], false],
  ['sh -c rm_x', ['rm x'], false],
  ['bash -x -o pipefail -ec rm_x name', ['rm x'], false],
  ['bash --norc -c rm_x', ['rm x'], false],
  ['bash --rcfile f -c rm_x', [], true],
  ['bash -c', [], true],
  ['bash', [], true],
  ['bash -s', [], true],
  ['find . -exec rm {} ; -exec ls {} +', ['rm {}', 'ls {}'], false],
  ['find . $X', [], true],
  ['fd x -x rm {}', ['rm {} …'], false],
  ['fd --exec=rm x', ['rm x …'], false],
  ['eval rm x', ['rm x'], false],
  ['eval $X', ['$X'], true],
  ['exec -a name rm x', ['rm x'], false],
  ['command -p rm x', ['rm x'], false],
  ['ssh -p 22 h rm x', ['rm x'], false],
  ['ssh h -p 22 rm x', ['rm x'], false],
  ['ssh h', [], false],
  ['flock -n f rm -x', ['rm -x'], false],
  ['flock f -c rm_x', ['rm x'], false],
  ['su - bob -c rm_x', ['rm x'], false],
  ['watch -d -n 2 rm x', ['rm x'], false],
  ['concurrently rm_x ls', ['rm x', 'ls'], false],
  ['hyperfine -w 1 rm_x --prepare ls', ['ls', 'rm x'], false],
  ['npx -y rm x', ['rm x'], false],
  ['npx -c rm_x', ['rm x'], false],
  ['npm exec -- rm x', ['rm x'], false],
  ['docker exec -it c rm x', ['rm x'], false],
  ['trap rm_x EXIT', ['rm x'], false],
  ['/lib64/ld-linux-x86-64.so.2 rm x', ['rm x'], false],
  ['time -p A=1 rm x', ['rm x'], false],
])('%j', (line, inner, unseen) => expect(inside(line)).toEqual({ inner, unseen }))

test.each([
  'ls',
  'command -v rm',
  'bash script.sh',
  'bash --version',
  'find . -name x',
  'trap - EXIT',
  'fd x',
  'npm test',
  '$X rm',
  'constructor',
])('%j is not a wrapper', (line) => expect(inside(line)).toBeUndefined())

test('shells and parallel read commands from their input', () => {
  expect(inside('sh', 'rm x')).toEqual({ inner: ['rm x'], unseen: true })
  expect(inside('parallel', 'rm x')).toMatchObject({ inner: ['rm x'], unseen: true })
})

test('returns the name of a program', () => {
  expect(programName(plainWord('/a/b'))).toBe('b')
  expect(programName({ ...plainWord('b'), known: false })).toBe('')
  expect(programName(undefined)).toBe('')
})
