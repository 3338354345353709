// The official conformance scenarios for clients, one by one, against the connection and login of Anode.
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test, vi } from 'vitest'
import { playScenario } from './client.ts'
import { bundleSuite, expectedFailures } from './suite.ts'

const suite = await bundleSuite()
const socket = join(suite.dir, 'client')
const clients = createServer((wire) => {
  const fail = (error: unknown) => wire.end(`${error instanceof Error ? error.stack : error}\n`)
  wire.on('error', () => undefined)
  createInterface({ input: wire }).once('line', (line) => {
    const { url, context } = JSON.parse(line)
    playScenario(url, context).then(() => wire.end(), fail)
  })
}).listen(socket)
afterAll(() => {
  clients.close()
  suite.remove()
})

// at every login the library reports how older tokens were stored
vi.spyOn(console, 'warn').mockReturnValue()

const expected = expectedFailures('client')
const { said } = await suite.run(['list', '--client'])
const scenarios = [...said.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] as string)

test('the list of scenarios is whole, and every expected failure has its reason', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(26)
  expect(expected.names.filter((name) => !scenarios.includes(name))).toEqual([])
  expect(expected.bare).toEqual([])
})

/** A scenario that measures the client's time allows it to be later by so much. */
const toleranceMs = 200

/**
 * Plays a scenario. Some measure how long the client takes to reconnect: a machine that did not let client or suite run
 * for longer than they allow has measured itself, and the scenario is played again until the machine keeps time.
 */
async function play(name: string) {
  // the suite splits it at blanks, which the path of its folder may have
  const command = `${process.execPath} ${join(import.meta.dirname, 'relay.mjs')} ${basename(socket)}`
  const args = ['client', '--command', command, '--scenario', name, '--timeout', '60000']
  for (;;) {
    const played = await suite.run(args)
    const isMeasured = played.said.includes('Client reconnected very late')
    if (played.code === 0 || !isMeasured || played.stalledMs < toleranceMs) return played
  }
}

test.each(scenarios)('%s', { timeout: 90_000 }, async (name) => {
  const { code, said } = await play(name)
  const isExpected = expected.names.includes(name)
  if ((code === 0) === isExpected) console.log(said.slice(-4000))
  expect(code === 0 ? 'passed' : 'failed').toBe(isExpected ? 'failed' : 'passed')
})
