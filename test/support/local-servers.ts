// Answers of model servers that users run locally, in their notation, for `serveModel`.
import type { ServedReply } from './model-server.ts'

type ServerAnswers = Readonly<Record<string, ServedReply>>

const json = (value: unknown): ServedReply => ({ status: 200, body: JSON.stringify(value) })
const list = (...data: unknown[]) => json({ object: 'list', data })

/**
 * Returns the answers of llama-server, which has one model and accepts any name for it. `window` is the
 * window of one slot.
 */
export function llamaCpp({ window = 4096, slots = 1, model = 'smol.gguf' } = {}): ServerAnswers {
  const meta = { vocab_type: 1, n_vocab: 49152, n_ctx_train: 8192, n_embd: 576, n_params: 134515008 }
  return {
    '/v1/models': list({ id: model, object: 'model', created: 1, owned_by: 'llamacpp', meta }),
    '/props': json({
      default_generation_settings: { id: 0, n_ctx: window, speculative: false, is_processing: false },
      total_slots: slots,
      model_path: `/models/${model}`,
      chat_template: '{% for message in messages %}{{ message.content }}{% endfor %}',
      build_info: 'b5002-2c3f8b85',
    }),
  }
}

/** Returns the answers of vLLM, whose list of models contains the window. */
export function vllm({ window = 16_384, model = 'Qwen/Qwen3-8B' } = {}): ServerAnswers {
  const entry = { id: model, object: 'model', created: 1, owned_by: 'vllm', root: model, parent: null }
  return { '/v1/models': list({ ...entry, max_model_len: window }) }
}

/**
 * Returns the answers of Ollama. `loaded` is the window of a running model, `asked` the window in
 * its model file.
 */
export function ollama({
  model = 'qwen3:8b',
  loaded,
  asked,
}: {
  model?: string
  loaded?: number
  asked?: number
} = {}): ServerAnswers {
  const details = { family: 'qwen3', parameter_size: '8.2B', quantization_level: 'Q4_K_M' }
  const running = { name: model, model, size: 1, digest: 'd', details, context_length: loaded }
  return {
    '/v1/models': list({ id: model, object: 'model', created: 1, owned_by: 'library' }),
    '/api/tags': json({ models: [{ name: model, model, size: 1, digest: 'd', details }] }),
    '/api/ps': json({ models: loaded === undefined ? [] : [running] }),
    '/api/show': json({
      parameters:
        asked === undefined ? 'stop    "<|im_end|>"' : `num_ctx                        ${asked}\nstop "x"`,
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 },
      capabilities: ['completion', 'tools'],
    }),
  }
}

/**
 * Returns the answers of LM Studio, which answers unknown paths with 200 and an error, and knows the window
 * of loaded models.
 */
export function lmStudio({
  model = 'qwen3-8b',
  loaded,
}: {
  model?: string
  loaded?: number
} = {}): ServerAnswers {
  const state = loaded === undefined ? 'not-loaded' : 'loaded'
  const entry = { id: model, object: 'model', type: 'llm', arch: 'qwen3', state, max_context_length: 40960 }
  const stray = (path: string) => json({ error: `Unexpected endpoint or method. (GET ${path})` })
  return {
    '/v1/models': list({ id: model, object: 'model', owned_by: 'organization_owner' }),
    '/api/v0/models': list({ ...entry, loaded_context_length: loaded }),
    '/props': stray('/props'),
    '/api/tags': stray('/api/tags'),
  }
}
