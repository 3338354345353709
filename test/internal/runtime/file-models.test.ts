// Models that are files: rejected at every entry except the user's, without creating a file.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { layerConfigs } from '../../../internal/config/layer.ts'
import { readProfile } from '../../../internal/profile/profile-file.ts'
import type { Runtime } from '../../../internal/runtime/runtime.ts'
import { loadNativeEntries } from '../../../internal/runtime/tools/tool-registry.ts'
import { runWishesSchema } from '../../../internal/server/http/run-commands.ts'
import { openDirectCalls } from '../../../internal/service/calls/direct-call.ts'
import { pickRemoteModel } from '../../../internal/service/study/worker-model.ts'
import type { StudyHead } from '../../../internal/study/log/entries.ts'
import { spellFileModels } from '../../support/file-model-names.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'
import { sessionWorld } from '../../support/session.ts'

const refusal = /is a file/

/** Passes each eleventh spelling to `open`; returns those that were not refused, and fails when a file was made. */
async function listAccepted(open: (spec: string) => unknown): Promise<string[]> {
  const path = join(scratch(), 'replies')
  const accepted: string[] = []
  for (const spec of spellFileModels(path).filter((_, i) => i % 11 === 0)) {
    const outcome = await Promise.resolve()
      .then(() => open(spec))
      .catch((error: unknown) => String(error))
    if (typeof outcome !== 'string' || !refusal.test(outcome)) accepted.push(spec)
  }
  expect(existsSync(path)).toBe(false)
  return accepted
}

const profile = { about: 'a', tools: ['read'], prompt: 'p' }

const entries: Record<string, (spec: string) => unknown> = {
  'a run over HTTP': (model) => {
    const { error } = runWishesSchema.safeParse({ task: 't', workspace: '/w', model })
    return error?.issues[0]?.message
  },
  'the configuration of a workspace': (model) =>
    layerConfigs([{ path: '/w/anode.json', from: 'workspace', config: { model } }]),
  'a profile in the configuration of a workspace': (model) =>
    layerConfigs([{ path: '/w/anode.json', from: 'workspace', config: { profiles: { a: { model } } } }]),
  'a profile of a workspace': (model) =>
    readProfile({ ...profile, model }, { name: 'a', origin: 'workspace', path: 'a.md' }),
  'a list in a profile of a workspace': (model) =>
    readProfile({ ...profile, model: ['openai/x', model] }, { name: 'a', origin: 'workspace', path: 'a.md' }),
  'a study from the network': (name) =>
    pickRemoteModel({ model: { name } } as StudyHead, {} as Runtime, { cwd: '/', env: {} }),
}

describe('a model that is a file', () => {
  it.each(Object.entries(entries))('is rejected in %s', async (_, open) => {
    expect(await listAccepted(open)).toEqual([])
  })

  it('is accepted in the profile and the configuration of the user', () => {
    const { config } = layerConfigs([{ path: '/c', from: 'user', config: { model: 'script:a' } }])
    expect(config.model).toBe('script:a')
    const place = { name: 'a', origin: 'user', path: 'a.md' } as const
    expect(readProfile({ ...profile, model: 'script:a' }, place).model).toBe('script:a')
  })

  it('is rejected in the arguments of every tool that takes a model', async () => {
    const cwd = scratchWith({ 'a.txt': 'a\n' })
    const session = await openDirectCalls({
      ...{
        cwd,
        env: { HOME: cwd, ANODE_DATA_DIR: join(scratch(), 'data') },
        mode: 'unrestricted',
        addDirs: [],
      },
      ...{ signal: new AbortController().signal, approval: 'flag', record: 'changes', terminal: undefined },
    })
    onTestFinished(() => session.close())
    const all = await Promise.all((await loadNativeEntries()).map((entry) => entry.load()))
    const tools = all.filter(({ input }) => 'model' in input.shape)
    expect(tools.map(({ name }) => name)).toContain('oracle')
    for (const { name, example } of tools) {
      const accepted = await listAccepted(async (model) => {
        const args = { ...example, model }
        return (await session.call({ name, args })).text
      })
      expect(accepted, name).toEqual([])
    }
  })

  it('is rejected in a running session, except for the model it was started with', async () => {
    const { open } = await sessionWorld([{ text: 'hello' }])
    const { send, client, view } = await open()
    const accepted = await listAccepted(async (model) => {
      const reply = await send({ type: 'set_model', model })
      return reply.ok ? 'accepted' : reply.message
    })
    expect(accepted).toEqual([])
    expect(await send({ type: 'set_model', model: view().model.id })).toMatchObject({ ok: true })
    await client.detach()
  })
})
