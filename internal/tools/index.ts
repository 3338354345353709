// The list of native tools. Each tool is loaded only when it is described or run.
import type { Tool } from '../tool/tool.ts'

/** Loads one tool. */
type ToolLoader = () => Promise<Tool>

/** Names of the tools at the end of the listing, which most conversations do not need. */
const optionalNames =
  `fs_list fs_stat git_history fs_mkdir fs_move undo bash_batch terminal_start terminal_write terminal_read
  terminal_interrupt terminal_kill read_document sleep clock think branch cron scholar_search
  tool_search prove research_compare study study_verify`.split(/\s+/)

const loadSessionTool = async (name: string) =>
  (await import('./session/index.ts')).sessionTools[name] as Tool
const loadAgentTool = async (name: string) => (await import('./agents/index.ts')).agentTools[name] as Tool
const loadCodeTools = async () => (await import('./code/index.ts')).codeTools

/** Loads a rarely used tool. The list of these tools is itself loaded only with the first of them. */
const loadOptional =
  (name: string): ToolLoader =>
  async () =>
    (await import('./optional/index.ts')).loadOptionalTool(name)

/** Native tools by name, in the order of their listing. */
export const nativeTools: Readonly<Record<string, ToolLoader>> = {
  bash: async () => (await import('./shell/bash.ts')).bash,
  jobs: async () => (await import('./shell/jobs.ts')).jobs,
  read: async () => (await import('./files/read.ts')).read,
  multi_read: async () => (await import('./files/multi_read.ts')).multiRead,
  edit_file: async () => (await import('./files/edit_file.ts')).editFile,
  apply_patch: async () => (await import('./files/apply_patch.ts')).applyPatch,
  create_file: async () => (await import('./files/create_file.ts')).createFile,
  finder: async () => (await import('./search/finder.ts')).finder,
  glob: async () => (await import('./search/glob.ts')).glob,
  grep: async () => (await import('./search/grep.ts')).grep,
  render: async () => (await import('./draw/render.ts')).render,
  chart: async () => (await import('./draw/chart.ts')).chart,
  task: () => loadAgentTool('task'),
  oracle: async () => (await import('./agents/oracle.ts')).oracle,
  web_search: async () => (await import('./web/web_search.ts')).webSearch,
  web_fetch: async () => (await import('./web/web_fetch.ts')).webFetch,
  code_review: () => loadAgentTool('code_review'),
  find_thread: loadOptional('find_thread'),
  read_thread: loadOptional('read_thread'),
  handoff: loadOptional('handoff'),
  look_at: loadOptional('look_at'),
  list_skills: loadOptional('list_skills'),
  skill: () => loadSessionTool('skill'),
  ask_user: () => loadSessionTool('ask_user'),
  todo_read: () => loadSessionTool('todo_read'),
  todo_write: () => loadSessionTool('todo_write'),
  task_list: () => loadAgentTool('task_list'),
  lsp: async () => (await loadCodeTools()).lsp,
  get_diagnostics: async () => (await loadCodeTools()).getDiagnostics,
  send_message: () => loadAgentTool('send_message'),
  receive_messages: () => loadAgentTool('receive_messages'),
  init_experiment: loadOptional('init_experiment'),
  run_experiment: loadOptional('run_experiment'),
  log_experiment: loadOptional('log_experiment'),
  plan_enter: () => loadSessionTool('plan_enter'),
  plan_exit: () => loadSessionTool('plan_exit'),
  result: () => loadSessionTool('result'),
  ...Object.fromEntries(optionalNames.map((name) => [name, loadOptional(name)])),
}
