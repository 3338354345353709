// Responses of a server that streams, thinks and loses its connection, with the built program on
// a real terminal.
import { describe, expect, it } from 'vitest'
import { bodyOf } from '../../support/model-server.ts'
import { serveNear } from '../../support/near-provider.ts'
import { openScreenWorld } from '../../support/screen-program.ts'

const paragraphs = (word: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${word}${i} and more.`).join('\n\n')

describe.each(['inline', 'full'])('a connection that is lost during a response (%s)', (form) => {
  it('leaves a line that stays, and prints no word twice or not at all', async () => {
    const world = openScreenWorld([])
    const text = paragraphs('same', 6)
    const half = Math.floor(bodyOf({ text }).length / 2)
    const { model } = await serveNear(world, [{ text, fault: { at: half, how: 'reset' } }, { text }])
    const { until, screen, program, exit } = world.start([...model, '--screen', form, 'go'])
    await until(/interrupted, retried, 2 of 5: [\s\S]*same5 and more\.[\s\S]*done/)
    for (let i = 0; i < 6; i++) expect(screen().split(`same${i} and more.`)).toHaveLength(2)
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })

  it('separates the text of the second response from the discarded text', async () => {
    const world = openScreenWorld([])
    const old = { text: `${paragraphs('old', 3)} but` }
    const at = bodyOf(old).length - 250
    const { model } = await serveNear(world, [
      { ...old, fault: { at, how: 'reset' } },
      { text: paragraphs('new', 2) },
    ])
    const { until, screen, program, exit } = world.start([...model, '--screen', form, 'go'])
    await until(/interrupted, retried, 2 of 5: [\s\S]*new0 and more\.\n\n new1 and more\.[\s\S]*done/)
    // Text that was printed permanently is above the line. A full screen shows only the valid text.
    if (form === 'full') expect(screen()).not.toContain('old0')
    else expect(screen().split('interrupted, retried')[1]).not.toContain('old0')
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })
})

it('keeps one line of the reasoning, and shows the reasoning on the transcript during and after it', async () => {
  const world = openScreenWorld([])
  let release: () => void = () => undefined
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  const reply = { reasoning: 'The sum of both is odd.', text: 'It is odd.' }
  const at = bodyOf(reply).indexOf('"content":"It is') - 150
  const { model } = await serveNear(world, [{ ...reply, hold: { at, until } }])
  const { type, until: seen, screen, program, exit } = world.start([...model, 'go'])
  await seen(/^ thinks {2}\d/m)
  type('\x0f')
  await seen(/Esc back/)
  type('e')
  await seen(/thought(?: {2}\d)?[\s\S]*The sum of both/)
  type('q')
  release()
  await seen(/^ thought(?: {2}\d[^\n]*)?\n\n It is odd\.[\s\S]*done/m)
  expect(screen()).not.toContain('The sum of both')
  type('\x0f')
  await seen(/Esc back/)
  type('e')
  await seen(/thought(?: {2}\d[^\n]*)?\n {3}The sum of both is odd\.\n\n It is odd\./)
  type('q')
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})

it('prints no time for reasoning that arrives in one piece', async () => {
  const world = openScreenWorld([{ reasoning: 'The sum of both is odd.', text: 'It is odd.' }])
  const { until, program, exit } = world.start([...world.model, 'go'])
  await until(/^ thought\n\n It is odd\./m)
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})

it('prints the items of a list that is taller than half of the terminal while the list streams', async () => {
  const world = openScreenWorld([])
  const text = Array.from({ length: 60 }, (_, i) => `- item ${i} of all\n`).join('')
  let release: () => void = () => undefined
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  const at = bodyOf({ text }).length - 800
  const { model } = await serveNear(world, [{ text, hold: { at, until } }])
  const { until: seen, screen, program, exit } = world.start([...model, 'go'])
  // far above the rows of the terminal
  await seen(/item 0 of all[\s\S]*item 50 of all/)
  release()
  await seen(/item 59 of all\n[\s\S]*done/)
  const items = screen().match(/^ \S item \d+ of all$/gm) ?? []
  expect(items.map((row) => Number(/\d+/.exec(row)))).toEqual(Array.from({ length: 60 }, (_, i) => i))
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})
