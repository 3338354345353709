// Starting ripgrep and reading its messages on standard error.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ripgrepComplaint, ripgrepPrograms, runRipgrep } from '../../../../internal/search/ripgrep/ripgrep.ts'
import { means, plant } from '../../../support/search.ts'

/** Creates a program that behaves like another ripgrep. */
function stand(script: string): string {
  const file = join(plant(), 'rg')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

async function listed(files: string[]) {
  const dir = plant({ a: '' })
  let out = ''
  const ran = await runRipgrep(['--files', './'], dir, means({ programs: files }), (chunk) => {
    out += chunk.toString()
  })
  return { out, ran }
}

test('prefers the installed binary', () => {
  expect(ripgrepPrograms()[0]).toMatch(/@vscode\/ripgrep-.*\/bin\/rg$/)
  expect(ripgrepPrograms().at(-1)).toBe('rg')
})

test.each([
  ['missing', '/nowhere/rg'],
  ['of another machine', stand('exit 126')],
  ['without its libraries', stand('echo "error while loading shared libraries" >&2; exit 127')],
  ['too old', stand('echo "error: unexpected argument \'--x\' found" >&2; exit 2')],
])('skips a program that is %s', async (_, file) => {
  expect((await listed([file])).ran).toBeUndefined()
  const { out, ran } = await listed([file, ...ripgrepPrograms()])
  expect(out).toBe('./a\n')
  expect(ran).toMatchObject({ exit: 0, message: '', unreadable: 0 })
})

test('separates complaints about files from other messages', async () => {
  const file = stand(
    'exec >&2; echo "rg: ./c: Permission denied (os error 13)"; printf "something else"; exit 2',
  )
  expect((await listed([file])).ran).toEqual({
    exit: 2,
    ended: undefined,
    skipped: [],
    unreadable: 1,
    message: 'something else',
  })
})

test('does not start ripgrep without a process runner', async () => {
  expect(await runRipgrep(['--files'], '/', { ...means(), run: undefined }, () => undefined)).toBeUndefined()
})

test.each([
  ['regex parse error:\n    (foo\n    ^\nerror: unclosed group', 'unclosed group'],
  ['rg: regex parse error:\n    (?:x)\nerror: repetition\n\nConsider …', 'repetition'],
  ['rg: compiled regex exceeds size limit of 104857600', 'compiled regex exceeds size limit of 104857600'],
  ['', 'no message'],
])('%j in one line', (message, line) => {
  expect(ripgrepComplaint(message)).toBe(line)
})
