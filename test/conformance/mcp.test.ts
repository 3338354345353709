// The official conformance scenarios for clients, one by one, against our connection and our login.
import { createServer } from 'node:net'
import { join } from 'node:path'
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

// the library of the wire tells on every login how older ones were kept
vi.spyOn(console, 'warn').mockReturnValue()

const expected = expectedFailures('client')
const { said } = await suite.run(['list', '--client'])
const scenarios = [...said.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] as string)

test('the list of scenarios is whole, and every expected failure has its reason', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(26)
  expect(expected.names.filter((name) => !scenarios.includes(name))).toEqual([])
  expect(expected.bare).toEqual([])
})

// some scenarios have clocks of their own, which a machine under load can miss
test.each(scenarios)('%s', { timeout: 90_000, retry: 2 }, async (name) => {
  const command = `${process.execPath} ${join(import.meta.dirname, 'relay.mjs')} ${socket}`
  const { code, said } = await suite.run([
    'client',
    '--command',
    command,
    '--scenario',
    name,
    '--timeout',
    '60000',
  ])
  const isExpected = expected.names.includes(name)
  if ((code === 0) === isExpected) console.log(said.slice(-4000))
  expect(code === 0 ? 'passed' : 'failed').toBe(isExpected ? 'failed' : 'passed')
})
