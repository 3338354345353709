// Agent files of other programs as profiles: which tools they get, and what has no effect.
import { expect, it } from 'vitest'
import { parseAgentFile } from '../../../internal/profile/agent-file.ts'

const place = { name: 'helper', origin: 'workspace', path: '/w/.claude/agents/helper.md' } as const
const parse = (head: string, body = 'Help.') =>
  parseAgentFile(`---\nname: helper\ndescription: Use when: asked\n${head}\n---\n${body}\n`, place)

const ours: Record<string, string[]> = {
  Read: ['read', 'multi_read', 'look_at', 'read_document'],
  Write: ['create_file'],
  Edit: ['edit_file', 'apply_patch'],
  MultiEdit: ['edit_file', 'apply_patch'],
  Bash: ['bash', 'jobs'],
  BashOutput: ['jobs'],
  KillShell: ['jobs'],
  Grep: ['grep', 'finder'],
  Glob: ['glob'],
  LS: ['glob'],
  WebFetch: ['web_fetch'],
  WebSearch: ['web_search'],
  Task: ['task'],
  TodoWrite: ['todo_write', 'todo_read'],
  NotebookRead: ['read_document'],
  mcp__docs__search: ['mcp__docs__search'],
  mcp__docs: ['mcp__docs__*'],
}
const shapes: [string, (names: string[]) => string][] = [
  ['names with commas', (names) => `tools: ${names.join(', ')}`],
  ['a list', (names) => `tools: [${names.join(', ')}]`],
  ['a block list', (names) => `tools:\n${names.map((name) => `  - ${name}`).join('\n')}`],
]
const rows = Object.keys(ours).flatMap((name) => shapes.map(([shape, write]) => ({ name, shape, write })))

it.each(rows)('accepts the tool $name as $shape', async ({ name, write }) => {
  const { profile, notes } = await parse(write([name]))
  expect(profile.tools).toEqual([...(ours[name] as string[]), 'result'])
  expect(profile).toMatchObject({ name: 'helper', about: 'Use when: asked', prompt: 'Help.', serves: [] })
  expect(notes).toEqual([])
})

it('allows only the listed tools, and lists names without a match', async () => {
  const { profile, notes } = await parse('tools: Read, NotebookEdit, Bash(git log:*), Teleport')
  expect(profile.tools).toEqual([...(ours.Read as string[]), 'result'])
  expect(notes).toEqual([expect.stringContaining('NotebookEdit, Bash(git log:*), Teleport')])
})

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'lists %s, which every object has, as a name without a match',
  async (name) => {
    const { profile, notes } = await parse(`tools: Read, ${name}`)
    expect(profile.tools).toEqual([...(ours.Read as string[]), 'result'])
    expect(notes).toEqual([expect.stringContaining(name)])
  },
)

it('removes denied tools', async () => {
  const { profile } = await parse('disallowedTools: Bash, WebFetch')
  expect(profile.tools).toContain('!bash')
  expect(profile.tools).toContain('!web_fetch')
})

it('ignores the model with a note, and never becomes the default or serves other work', async () => {
  const { profile, notes } = await parse(
    'model: opus\ndefault: true\nserves: [task]\ntoolset: ah\nreadOnly: false',
  )
  expect(notes).toEqual([expect.stringContaining('"opus"')])
  for (const key of ['model', 'default', 'toolset'] as const) expect(profile[key]).toBeUndefined()
  expect(profile.serves).toEqual([])
})

it.each([
  ['tools: Teleport', 'Help.', /none of its tools/],
  ['', '', /the text below the frontmatter is missing/],
])('refuses %j over %j', async (head, body, message) => {
  await expect(parse(head, body)).rejects.toThrow(message)
})
