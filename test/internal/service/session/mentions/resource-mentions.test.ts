// Resources of a real server after `@`: offered once it is open, read under the rules, shown as a row.
import { describe, expect, test } from 'vitest'
import { real } from '../../../../support/mcp.ts'
import { scratchWith } from '../../../../support/scratch.ts'
import { sessionWorld, type WatchedClient } from '../../../../support/session.ts'

async function openWorld(config: object = {}) {
  const home = scratchWith({
    'anode/mcp.json': JSON.stringify({ mcpServers: { all: real('everything') } }),
    'anode/config.json': JSON.stringify(config),
  })
  const replies = Array.from({ length: 4 }, () => ({ text: 'Seen.' }))
  const world = await sessionWorld(replies, {}, { XDG_CONFIG_HOME: home })
  return { world, one: await world.open() }
}

const never = new AbortController().signal

const resourcesFor = async ({ client }: WatchedClient, query: string) =>
  (await client.findMentions(query, 5, never)).filter(({ kind }) => kind === 'resource')

/** Returns the calls of the user so far, with their results. */
const personCalls = ({ events }: WatchedClient) =>
  events.flatMap((event) =>
    event.type === 'tool.result' && event.payload.by === 'person' ? [event.payload] : [],
  )

const messages = ({ events }: WatchedClient) =>
  events.flatMap((event) =>
    event.type === 'message' && event.payload.role === 'user' ? [event.payload] : [],
  )

describe('a resource', () => {
  test('is offered once its server is open, and read by a visible call', async () => {
    const { one } = await openWorld()
    // typing starts no server
    expect(await resourcesFor(one, 'all:')).toEqual([])
    expect((await one.say('Hello')).ok).toBe(true)
    await one.idle()
    await expect.poll(() => resourcesFor(one, 'all:')).not.toEqual([])
    const [choice] = await resourcesFor(one, 'all:features')
    expect(choice?.path).toMatch(/^all:demo:\/\/.*features/)

    const words = `What does @${choice?.path} say?`
    await one.say(words)
    await one.idle()
    expect(personCalls(one)).toMatchObject([{ tool: 'read', ok: true }])
    const said = messages(one).slice(1)
    expect(said.map(({ origin }) => origin)).toEqual(['note', undefined])
    expect(said[0]?.text).toMatch(/^\[resource @all:demo:\/\/[^\n]*\]\n[\s\S]{100,}/)
    expect(said[1]?.text).toBe(words)
  })

  test('of an unknown name is reported in a row, and in a note to the model', async () => {
    const { one } = await openWorld()
    await one.say('See @al:demo://x, @all:demo://nothing/here and me@all:demo://y, @a:b:c')
    await one.idle()
    expect(personCalls(one).map(({ ok, text }) => [ok, text])).toEqual([
      [false, expect.stringMatching(/unknown MCP server al[\s\S]*nearest: all/)],
      [false, expect.stringMatching(/not found|nothing\/here/)],
    ])
    expect(messages(one).map(({ origin }) => origin)).toEqual(['note', 'note', undefined])
  })

  test('is not read if a rule denies it', async () => {
    const { one } = await openWorld({ permissions: [{ tool: 'read', action: 'deny' }] })
    await one.say('See @all:demo://resource/static/document/features.md')
    await one.idle()
    expect(personCalls(one)).toMatchObject([{ tool: 'read', ok: false }])
    expect(messages(one)[0]?.text).toMatch(/^\[resource @all:[^\n]*\]\n[\s\S]*denied/)
  })
})
