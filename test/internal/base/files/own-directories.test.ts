// System errors about a directory of Anode, and their messages.
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FailureError, UserError } from '../../../../internal/base/errors.ts'
import { explainOwnDirectory } from '../../../../internal/base/files/own-directories.ts'
import { scratch } from '../../../support/scratch.ts'

/** Returns the system error that `act` causes. */
function errorOf(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('it was done')
}

function place() {
  const root = scratch()
  const file = join(root, 'file')
  writeFileSync(file, '')
  const env = { ANODE_DATA_DIR: join(file, 'data'), XDG_CONFIG_HOME: root, XDG_CACHE_HOME: file }
  return { root, file, env }
}

const open = (...path: string[]) => openSync(join(...path), 'w')

const cases: [what: string, act: (at: ReturnType<typeof place>) => unknown, said: RegExp | undefined][] = [
  [
    'a folder below a file',
    ({ file }) => mkdirSync(join(file, 'data', 'run'), { recursive: true }),
    /^the data .*\/file\/data: a part of its path is a file$/,
  ],
  ['a parent that cannot be made', ({ file }) => mkdirSync(file), /^the data directory cannot be used: /],
  ['a file below a file', ({ file }) => open(file, 'data', 'a'), /^the data directory/],
  ['the cache', ({ file }) => open(file, 'anode', 'a'), /^the cache directory/],
  ['a file that is gone', ({ root }) => open(root, 'anode', 'none', 'a'), undefined],
  ['another place', ({ file }) => open(file, 'other'), undefined],
  ['no error of the system', () => JSON.parse('{'), undefined],
]

it.each(cases)('%s', (_, act, said) => {
  const at = place()
  const error = errorOf(() => act(at))
  const explained = explainOwnDirectory(error, at.env)
  if (said === undefined) return expect(explained).toBeUndefined()
  expect(explained?.message).toMatch(said)
  expect(explained).toMatchObject({ exit: 2, cause: error })
  expect(explained?.hint).toMatch(/^Make it writable, or name another directory in [A-Z_]+\.$/)
  const failure = new FailureError({ code: 'io', message: 'm' }, error)
  expect(explainOwnDirectory(failure, at.env)?.message).toBe(explained?.message)
  // an error with another message is unchanged
  expect(explainOwnDirectory(new UserError('x', { cause: error }), at.env)).toBeUndefined()
})

it('reports a full disk as a failure of the work, not as a wrong setting', () => {
  const { root, env } = place()
  const error = errorOf(() => writeFileSync('/dev/full', 'x'))
  // The error of a write has no path. The error of creating a file on such a disk has one.
  const named = Object.assign(error as object, { path: join(root, 'anode', 'config.json') })
  const said = { message: expect.stringMatching(/^no space is left for the configuration/), exit: 1 }
  expect(explainOwnDirectory(named, env)).toMatchObject(said)
})
