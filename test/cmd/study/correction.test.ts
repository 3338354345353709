// Workers that misquote: a worker is asked once, in its conversation, and its corrected claims count.
import { expect, it, onTestFinished, vi } from 'vitest'
import { world } from '../../support/anode.ts'
import { serveModel } from '../../support/model-server.ts'

vi.setConfig({ testTimeout: 120_000 })

const claims = (evidence: string, quote: string) =>
  JSON.stringify({
    claims: [{ text: 'The store locks its files with `O_EXCL`.', evidence, quote }],
    gaps: [],
  })

it.each([
  ['an id that it was not given', 'E9.9', 'The store locks its files with O_EXCL.'],
  ['words that are not there', 'E1.1', 'The store locks all files with O_EXCL.'],
])('corrects %s without a new task', async (_, evidence, quote) => {
  const at = world()
  onTestFinished(() => at.remove())
  at.put('lock.md', 'The store locks its files with O_EXCL.\n')
  const notes: string[] = []
  const served = await serveModel(({ body }) => {
    const last = String(body.messages.at(-1)?.content)
    const system = String(body.messages[0]?.content)
    if (system.startsWith('You divide')) return { text: 'no plan' }
    if (!system.startsWith('You are one worker')) return { text: 'It uses O_EXCL [C1.1].' }
    if (last.startsWith('0 of 1 claim holds. ')) {
      notes.push(last)
      return { text: claims('E1.1', 'The store locks its files with O_EXCL.') }
    }
    const hasRead = body.messages.some(({ role }: { role: string }) => role === 'tool')
    return hasRead
      ? { text: claims(evidence, quote) }
      : { calls: [{ name: 'read', args: { path: 'lock.md' } }] }
  })
  onTestFinished(() => served.close())
  const providers = { me: { baseUrl: served.url, model: 'me', window: 200_000 } }
  at.put('../.config/anode/config.json', JSON.stringify({ providers, model: 'me/me' }))
  const { out, err } = await at.anode(['study', 'How does the store lock its files?', '--workers', '1'])
  expect(notes).toEqual([expect.stringContaining(evidence)])
  expect(err).toMatch(/t1 +done +1 claim/)
  expect(err).not.toContain('t2')
  expect(out).not.toContain('not verified')
})
