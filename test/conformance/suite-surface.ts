// A real workspace whose tools have the names of the official server scenarios.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { McpSurface } from '../../internal/mcp-server/surface.ts'
import { openMcpSurface } from '../../internal/service/mcp-server/mcp-surface.ts'
import type { CallRequest } from '../../internal/tool/invoke.ts'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const colours = ['red', 'blue'].map((id) => ({ id, label: `The ${id} one` }))
const ask = { name: 'ask_user', args: { question: 'Which colour?', options: colours } }
const readText = { name: 'read', args: { path: 'a.txt' } }

/** The calls that replace the tools of the suite. */
const calls: Readonly<Record<string, CallRequest>> = {
  test_simple_text: readText,
  test_image_content: { name: 'look_at', args: { path: 'pixel.png' } },
  test_error_handling: { name: 'read', args: { path: 'nothing.txt' } },
  test_elicitation: ask,
  test_elicitation_sep1034_defaults: ask,
  test_elicitation_sep1330_enums: ask,
  test_tool_with_progress: readText,
  json_schema_2020_12_tool: readText,
}

/** The schema that the suite wants to get back unchanged. */
const modernSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

/** Resources with the URLs of the suite, which no workspace has. */
const texts: Readonly<Record<string, string>> = {
  'test://static-text': 'A text',
  'test://template/123/data': 'The text of 123',
}

interface SuiteSurface {
  surface: McpSurface
  env: Readonly<Record<string, string | undefined>>
  close(): Promise<void>
}

/** Opens the surface in a scratch directory that the caller removes. */
export async function openSuiteSurface(scratch: string): Promise<SuiteSurface> {
  const dir = join(scratch, 'here')
  mkdirSync(dir)
  writeFileSync(join(dir, 'a.txt'), 'one\n')
  writeFileSync(join(dir, 'pixel.png'), Buffer.from(pixel, 'base64'))
  const env = { PATH: process.env.PATH, HOME: dir, ANODE_DATA_DIR: join(scratch, 'data') }
  const signal = new AbortController().signal
  const real = await openMcpSurface({ cwd: dir, env, signal, mode: 'ask', addDirs: [] })
  const [skill = { name: '' }] = await real.prompts()
  const listed = real.tools()
  const named = Object.keys(calls).flatMap((name) => {
    const tool = listed.find((one) => one.name === calls[name]?.name)
    return tool ? [{ ...tool, name, ...(name.startsWith('json_schema') && { schema: modernSchema }) }] : []
  })
  const tools = [...listed, ...named]
  const surface: McpSurface = {
    ...real,
    tools: () => tools,
    async call(request, caller) {
      if (request.name === 'test_tool_with_progress')
        for (const progress of [0, 50, 100]) caller.report({ call: 'c', tool: 'read', progress, total: 100 })
      return real.call(calls[request.name] ?? request, caller)
    },
    async read(uri) {
      const text = texts[uri]
      return text === undefined ? real.read(uri) : { mimeType: 'text/plain', text }
    },
    prompts: async () => [...(await real.prompts()), { name: 'test_simple_prompt', description: 'A skill' }],
    prompt: (name, input) => real.prompt(name.startsWith('test_') ? skill.name : name, input),
  }
  return { surface, env, close: () => real.close() }
}
