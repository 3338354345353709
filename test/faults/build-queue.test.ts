// Results that the merge queue checks ahead of their turn, on top of a commit that is not merged yet.
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildWorld, readCheckout, renameTask, runBuild } from '../support/build.ts'
import { git } from '../support/repo.ts'

let tried = 0
let survived = 0
afterAll(() => console.log(`results checked ahead: ${survived} of ${tried} survived`))

/**
 * Runs two tasks. The check of the first one in the queue waits until the second one is checked in the other
 * worktree of the queue, and then ends with `end`. So the build only ends soon if both are checked at once.
 */
async function build(end: 'true' | 'false') {
  const w = buildWorld(['a', 'b'])
  tried++
  const before = readCheckout(w.dir)
  const mark = (name: string) => join(w.dir, '..', `mark-${name}`)
  const wait = (name: string) =>
    `for i in $(seq 900); do test -e ${mark(name)} && break; sleep 0.1; done; test -e ${mark(name)}`
  const first = `case "$PWD" in *.queue) touch ${mark('a')}; ${wait('b')} && ${end};; esac`
  const second = `case "$PWD" in *.queue-2) touch ${mark('b')};; esac`
  const tasks = [
    renameTask('a', { until: [first] }),
    renameTask('b', { run: `${wait('a')}; node codemod.js src/b`, until: [second] }),
  ]
  // the commands leave marks for each other outside of their worktrees
  const words = ['--workers', '2', '--attempts', '1', '--sandbox', 'off']
  const ran = await runBuild(w, tasks, words)
  expect(readCheckout(w.dir)).toEqual(before)
  const of = (...args: string[]) => git(w.dir, ...args).trim()
  return {
    ...ran,
    w,
    of,
    branch: ran.build?.branch ?? '',
    states: ran.build?.tasks.map(({ state }) => state),
  }
}

it('checks the next result on top of the commit that is still checked, and merges both', async () => {
  const { w, of, code, err, states, branch } = await build('true')
  try {
    expect(code, err).toBe(0)
    expect(states).toEqual(['merged', 'merged'])
    expect(of('log', '--format=%(trailers:key=Anode-Task,valueonly,separator=)', `main..${branch}`)).toMatch(
      /\/b\n.*\/a$/,
    )
    survived++
  } finally {
    w.remove()
  }
})

it('checks the next result again without the first one, if the first one fails', async () => {
  const { w, of, code, err, states, branch } = await build('false')
  try {
    expect(code, err).toBe(3)
    expect(states).toEqual(['failed', 'merged'])
    expect(of('diff', '--name-only', 'main', branch)).toBe('src/b/index.js')
    expect(of('rev-parse', `${branch}~1`)).toBe(of('rev-parse', 'main'))
    survived++
  } finally {
    w.remove()
  }
})
