// `/goal` in real sessions: set, shown, checked, paused, resumed and ended.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchWith } from '../../../../support/scratch.ts'
import { sessionWorld } from '../../../../support/session.ts'

const bash = (command: string) => ({ text: 'I work on it.', calls: [{ name: 'bash', args: { command } }] })
const done = { text: 'It passes.' }
const goal = (argument: string) => ({ type: 'goal', argument }) as const
const command = 'test -e src/done.txt'
const finish = bash('touch src/done.txt')
const unattended = { mode: 'unrestricted' } as const

it('works until the command passes, and is over then', async () => {
  const world = await sessionWorld([done, finish, done, done])
  const session = await world.open(undefined, unattended)
  expect(await session.send(goal(''))).toMatchObject({
    ok: true,
    message: expect.stringMatching(/no goal is set/),
  })
  expect(await session.send(goal(command))).toMatchObject({ ok: true })
  const view = await session.until(({ blocks }) => blocks.some(({ kind }) => kind === 'end'), 'the end')
  const notices = view.blocks.flatMap((block) =>
    block.kind === 'notice' ? [`${block.mark} ${block.text}`] : [],
  )
  expect(notices).toEqual([
    expect.stringMatching(/^✖ check before the start {2}test -e src\/done.txt {2}exit 1 /),
    expect.stringMatching(/^✖ check 1 of 5 /),
    expect.stringMatching(/^✔ check 2 of 5 .* exit 0 /),
  ])
  expect(view.blocks.at(-1)).toMatchObject({ end: 'done', proof: `proven by ${command}` })
  expect(await session.send(goal(''))).toMatchObject({ message: expect.stringMatching(/no goal is set/) })
})

it('is paused by a stop, and the next message resumes it with its count', async () => {
  const world = await sessionWorld([done, bash('sleep 600'), finish, done])
  const session = await world.open(undefined, unattended)
  await session.send(goal(command))
  await session.until(({ calls }) => calls.length > 0, 'the call')
  await session.send({ type: 'interrupt' })
  await session.until(({ blocks }) => blocks.at(-1)?.kind === 'end', 'the stop')
  expect(await session.send(goal(''))).toMatchObject({
    message: expect.stringMatching(/^goal: test -e src\/done.txt; ✖ check 1 of 5 .*; paused/),
  })
  expect(await session.send(goal('check'))).toMatchObject({ message: expect.stringMatching(/check 2 of 5/) })
  expect(session.view().run, 'a paused goal has started a run').toBeUndefined()
  await session.say('Go on')
  const view = await session.until(({ blocks }) => {
    const last = blocks.at(-1)
    return last?.kind === 'end' && last.end === 'done'
  }, 'the proof')
  expect(view.blocks).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(/^check 3 of 5 /) }),
  )
})

it('ends on request, also during a run', async () => {
  const world = await sessionWorld([bash('until test -e src/go; do sleep 0.05; done'), done])
  const session = await world.open(undefined, unattended)
  await session.send(goal(command))
  await session.until(({ calls }) => calls.length > 0, 'the call')
  expect(await session.send(goal('stop'))).toMatchObject({ ok: true, message: 'the goal has ended' })
  writeFileSync(join(world.cwd, 'src/go'), '')
  const view = await session.until(({ blocks }) => blocks.at(-1)?.kind === 'end', 'the end')
  expect(view.blocks.at(-1)).toMatchObject({ end: 'partial', reason: 'stood_down' })
  expect(await session.send(goal('stop'))).toMatchObject({ message: expect.stringMatching(/no goal is set/) })
})

it('of a profile ends on request as well, and stays off in later runs of the session', async () => {
  const wait = bash('until test -e src/go; do sleep 0.05; done')
  const profile = `---\nabout: fixes\ntools: ["*"]\nuntil: ${command}\n---\nFix it.\n`
  const settings = scratchWith({ 'anode/profiles/fixer.md': profile })
  const world = await sessionWorld([done, wait, done, done], {}, { XDG_CONFIG_HOME: settings })
  const session = await world.open(undefined, { ...unattended, profile: 'fixer' })
  await session.say('Fix it')
  await session.until(({ calls }) => calls.length > 0, 'the call after the first check')
  expect(await session.send(goal(''))).toMatchObject({
    message: expect.stringMatching(/^goal: test -e src\/done.txt; ✖ check 1 of 5 .*; active$/),
  })
  expect(await session.send(goal('stop'))).toMatchObject({ ok: true, message: 'the goal has ended' })
  writeFileSync(join(world.cwd, 'src/go'), '')
  const stopped = await session.until(({ blocks }) => blocks.at(-1)?.kind === 'end', 'the end')
  expect(stopped.blocks.at(-1)).toMatchObject({ end: 'partial', reason: 'stood_down' })
  await session.say('Something else')
  const ends = ({ blocks }: typeof stopped) => blocks.filter(({ kind }) => kind === 'end')
  const view = await session.until((now) => ends(now).length === 2, 'the second end')
  expect(ends(view)[1]).toMatchObject({ end: 'done', proof: undefined })
})

it('starts nothing for a sentence or a command that cannot start', async () => {
  const world = await sessionWorld([done], { 'package.json': '{"scripts":{"test":"true","lint":"true"}}' })
  const session = await world.open(undefined, unattended)
  expect(await session.send(goal('all tests pass'))).toMatchObject({
    ok: false,
    code: 'bad_args',
    hint: 'found here: /goal npm test, /goal npm run lint',
  })
  expect(await session.send(goal('./missing.sh'))).toMatchObject({
    ok: false,
    message: expect.stringMatching(/the check cannot start/),
  })
  expect(await session.send(goal(''))).toMatchObject({ message: expect.stringMatching(/no goal is set/) })
})
