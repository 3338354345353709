// Models from the network: a remote name opens no file of this machine, and a worker needs the model
// of the study.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRuntime } from '../../../../internal/runtime/open-runtime.ts'
import type { Runtime } from '../../../../internal/runtime/runtime.ts'
import { features } from '../../../../internal/service/features/index.ts'
import { pickRemoteModel } from '../../../../internal/service/study/worker-model.ts'
import type { StudyHead } from '../../../../internal/study/log/entries.ts'

let dir: string
let ground: Runtime
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'anode-worker-model-'))
  writeFileSync(join(dir, 'own.jsonl'), '{"text":"hi"}\n')
  const env = { HOME: dir, ANODE_DATA_DIR: join(dir, 'data') }
  const { signal } = new AbortController()
  ground = await openRuntime({
    cwd: dir,
    env,
    mode: 'ask',
    addDirs: [],
    terminal: undefined,
    signal,
    features,
  })
})
afterAll(async () => {
  await ground.close()
  rmSync(dir, { recursive: true, force: true })
})

const served = (name: string, own?: string) =>
  pickRemoteModel({ model: { name } } as StudyHead, ground, {
    cwd: dir,
    env: {},
    ...(own !== undefined && { model: own }),
  })

test.each(['script:own.jsonl', 'replay:/etc/passwd', 'record:/tmp/x,builtin/extract'])(
  'does not open %s',
  async (name) => {
    await expect(served(name)).rejects.toThrow(/is a file/)
  },
)

test('accepts the named model, also if a file has that name, and rejects another one', async () => {
  expect((await served('builtin/extract')).id).toBe('builtin/extract')
  expect((await served('script:/elsewhere/own.jsonl', 'script:own.jsonl')).id).toBe('script:own.jsonl')
  await expect(served('builtin/extract', 'script:own.jsonl')).rejects.toThrow('this worker script:own.jsonl')
  await expect(served('script:/elsewhere/other.jsonl', 'script:own.jsonl')).rejects.toThrow(/this worker/)
})
