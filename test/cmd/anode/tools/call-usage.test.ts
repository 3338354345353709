// The hint below a call with wrong arguments: it names each tool as the command line takes it.
import { describe, expect, test } from 'vitest'
import { withUsage } from '../../../../cmd/anode/tools/call-usage.ts'
import { loadNativeEntries } from '../../../../internal/runtime/tools/tool-registry.ts'
import { describeToolsets } from '../../../../internal/service/calls/toolset-list.ts'
import { createCatalog } from '../../../../internal/tool/catalog.ts'
import { failedResult } from '../../../../internal/tool/result.ts'

const hintFor = (entry: Parameters<typeof withUsage>[1], tool: string) =>
  withUsage({ ...failedResult('bad_args', 'query is missing'), call: '', tool, ms: 0 }, entry).failed?.hint

/** The words of a shell line with single quotes. */
const wordsOf = (line: string) =>
  [...line.matchAll(/(?:[^\s']|'[^']*'|\\')+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(')/g, (_, quoted, escaped) => quoted ?? escaped),
  )

describe.each(await describeToolsets())('$name', ({ name: toolset, faces: adapters }) => {
  // swarmie has native tools too, which go by their own names
  const own = adapters.filter(({ face: adapter }) => adapter)
  test.each(own.map((entry) => [entry.name, entry] as const))('%s', (name, entry) => {
    const hint = hintFor(entry, name) ?? ''
    expect(hint).toContain(`see \`anode tools show ${toolset}/${name}\``)
    const [, line = ''] = /for example: (.*)$/s.exec(hint) ?? []
    const words = wordsOf(line)
    expect(words.slice(0, 5)).toEqual(['anode', 'tools', 'use', `${toolset}/${name}`, '--json'])
    expect(JSON.parse(words[5] ?? '')).toEqual(entry.example)
  })
})

test('native tools by their own names', async () => {
  for (const entry of await loadNativeEntries())
    expect(hintFor(entry, entry.name)).toContain(`see \`anode tools show ${entry.name}\``)
})

test('a hint that is there stays', () => {
  const result = { ...failedResult('bad_args', 'wrong', { hint: 'Do that.' }), call: '', tool: 'read', ms: 0 }
  expect(withUsage(result, undefined)).toBe(result)
})

test('the list of tools is named with its toolset', () => {
  const natives = createCatalog([])
  const adapters = createCatalog([], { toolset: 'hooman', natives: [] })
  expect([natives.listCommand, adapters.listCommand]).toEqual([
    'anode tools list',
    'anode tools list --toolset hooman',
  ])
})
