// A model whose server is silent is known at once, and asked once its limits are known.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLateModel, isLateModel, type LateModel } from '../../../../internal/model/choice/late-model.ts'
import type { Model } from '../../../../internal/model/model.ts'
import { pickModel } from '../../../../internal/model/model-choice.ts'
import { ask, user } from '../../../support/ask-model.ts'
import { scratchWith } from '../../../support/scratch.ts'

const request = { messages: [user('hi')], tools: [] }

test('does not wait for a silent server, and applies its facts once it reports them', async () => {
  let release: () => void = () => undefined
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const server = createServer(async (_, reply) => {
    await isReleased
    reply.end(JSON.stringify({ data: [{ id: 'm', owned_by: 'vllm', max_model_len: 9_000 }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const env = { ANODE_DATA_DIR: scratchWith({}) }
  const config = { providers: { own: { baseUrl, model: 'm' } } }
  const { model } = await pickModel('own,builtin/extract', { env, cwd: '/', config, isLimitAwaited: false })
  expect(isLateModel(model)).toBe(true)
  expect(model).toMatchObject({ id: 'own/m,builtin/extract', window: 128_000 })
  release()
  await (model as LateModel).opened
  expect(model.window).toBe(9_000)
})

test('an error that the user can fix is thrown at once', async () => {
  const options = { env: {}, cwd: '/', isLimitAwaited: false } as const
  await expect(pickModel('nobody/m', options)).rejects.toThrow(/nobody/)
  expect(isLateModel((await pickModel('builtin/extract', options)).model)).toBe(false)
})

test('a model that cannot be opened fails with its first request and a message', async () => {
  const model = createLateModel({ id: 'a/b', window: 10 }, Promise.reject(new Error('no such file')))
  const { failure } = await ask(model as Model, request)
  expect(failure).toMatchObject({ kind: 'internal', message: 'no such file' })
})
