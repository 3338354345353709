// Agents, jobs, status pages and commands of the program, on a plain screen.
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plantBoards } from '../../../support/boards.ts'
import { openPlain } from '../../../support/plain.ts'

it('lists agents and running work, and prints the current and past output of one', async () => {
  const title = 'Count \u202e far'
  const until = 'until [ -e go ]; do sleep 0.1; done; echo counted'
  const at = await openPlain([
    { calls: [{ name: 'task', args: { title, goal: 'count' } }] },
    { task: title, calls: [{ name: 'bash', args: { command: until, timeout_ms: 120_000 } }] },
    { task: title, text: 'The child has counted.' },
    { text: 'over' },
  ])
  await at.say('/agents', /no subagent has run/)
  await at.say('/jobs', /no background command and no call is running/)
  await at.say('begin', /task started/)
  await at.session.until(({ children }) => children.length === 1, 'a child')
  // characters that reverse the text direction are not printed
  await at.say('/agents', /^1 Count [^\u202e]*far, works for /m)
  const isStarted = () =>
    at.say('/agents 1', /bash started {2}until/, 2_000).then(
      () => true,
      () => false,
    )
  await expect.poll(isStarted, { timeout: 40_000 }).toBe(true)
  await at.say('/jobs', /^task Count .*far, /m)
  await at.say('/agents 2', /unknown agent 2; \/agents lists them/)
  writeFileSync(join(at.cwd, 'go'), '')
  await at.session.idle()
  await at.say('/agents', /^1 Count .*far, has ended$/m)
  await at.say(
    '/agents 1',
    /the agent: Count .*far\n[\s\S]*bash ended, exit 0[\s\S]*anode: The child has counted\.[\s\S]*the agent has ended/,
  )
  await at.close()
}, 120_000)

it('prints the current status pages, and runs other commands of the program', async () => {
  const at = await openPlain([{ text: 'here' }])
  await at.say('/study', /no study in this workspace yet/)
  await at.say('/research', /no experiments in this workspace yet/)
  await at.say('begin', /anode: here[\s\S]*done/)
  await plantBoards(at.data, realpathSync(at.cwd), 'Which locks are there?')
  await at.say('/study', /Which locks are there\?[\s\S]*worker/)
  await at.say('/research', /baseline/)
  await at.say('/export out.md', /\/export is done/)
  expect(existsSync(join(at.cwd, 'out.md'))).toBe(true)
  await at.say('/research colour', /\/research ended with exit code 2/)
  // one at a time, and stopped by a command
  const stopped = /\/doctor still runs; \/stop ends it[\s\S]*\/doctor was stopped/
  await at.say('/doctor\n/tools\n/stop', stopped)
  await at.say('/effort much', /unknown effort "much"; none, minimal/)
  await at.say('/add-dir', /\/add-dir needs DIR/)
  await at.say('/add-dir nowhere', /not done: /)
  await at.say('/todo', /the todo list is empty/)
  await at.say('/reserch', /unknown command \/reserch; did you mean \/research/)
  await at.say('/help', /\/agents[\s\S]*\/study \[QUESTION\][\s\S]*\/quit/)
  await at.close()
}, 120_000)
