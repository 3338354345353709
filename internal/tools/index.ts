// The list of native tools. Each tool is loaded only when it is described or run.
import type { Tool } from '../tool/tool.ts'

/** Loads one tool. */
type ToolLoader = () => Promise<Tool>

const loadSessionTool = async (name: string) =>
  (await import('./session/index.ts')).sessionTools[name] as Tool
const loadAgentTool = async (name: string) => (await import('./agents/index.ts')).agentTools[name] as Tool
const loadCodeTools = async () => (await import('./code/index.ts')).codeTools

const loadVerifyTool = async (name: string) => (await import('./verify/index.ts')).verifyTools[name] as Tool
const loadExperimentTool = async (name: string) =>
  (await import('./research/index.ts')).experimentTools[name] as Tool
const loadTerminalTool = async (name: string) =>
  (await import('./shell/index.ts')).terminalTools[name] as Tool
const loadFolderTool = async (name: string) => (await import('./files/index.ts')).folderTools[name] as Tool

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
  find_thread: () => loadAgentTool('find_thread'),
  read_thread: () => loadAgentTool('read_thread'),
  handoff: () => loadAgentTool('handoff'),
  look_at: async () => (await import('./files/look_at.ts')).lookAt,
  list_skills: () => loadSessionTool('list_skills'),
  skill: () => loadSessionTool('skill'),
  ask_user: () => loadSessionTool('ask_user'),
  todo_read: () => loadSessionTool('todo_read'),
  todo_write: () => loadSessionTool('todo_write'),
  task_list: () => loadAgentTool('task_list'),
  lsp: async () => (await loadCodeTools()).lsp,
  get_diagnostics: async () => (await loadCodeTools()).getDiagnostics,
  send_message: () => loadAgentTool('send_message'),
  receive_messages: () => loadAgentTool('receive_messages'),
  init_experiment: () => loadExperimentTool('init_experiment'),
  run_experiment: () => loadExperimentTool('run_experiment'),
  log_experiment: () => loadExperimentTool('log_experiment'),
  plan_enter: () => loadSessionTool('plan_enter'),
  plan_exit: () => loadSessionTool('plan_exit'),
  result: () => loadSessionTool('result'),
  // most conversations need none of the following tools
  fs_list: () => loadFolderTool('fs_list'),
  fs_stat: () => loadFolderTool('fs_stat'),
  git_history: async () => (await import('./code/git_history.ts')).gitHistory,
  fs_mkdir: () => loadFolderTool('fs_mkdir'),
  fs_move: () => loadFolderTool('fs_move'),
  undo: () => loadFolderTool('undo'),
  bash_batch: async () => (await import('./shell/bash_batch.ts')).bashBatch,
  terminal_start: () => loadTerminalTool('terminal_start'),
  terminal_write: () => loadTerminalTool('terminal_write'),
  terminal_read: () => loadTerminalTool('terminal_read'),
  terminal_interrupt: () => loadTerminalTool('terminal_interrupt'),
  terminal_kill: () => loadTerminalTool('terminal_kill'),
  read_document: async () => (await import('./files/read_document.ts')).readDocumentTool,
  sleep: () => loadSessionTool('sleep'),
  clock: () => loadSessionTool('clock'),
  think: () => loadSessionTool('think'),
  branch: () => loadAgentTool('branch'),
  cron: () => loadSessionTool('cron'),
  scholar_search: async () => (await import('./web/scholar_search.ts')).scholarSearch,
  tool_search: () => loadSessionTool('tool_search'),
  prove: () => loadVerifyTool('prove'),
  research_compare: () => loadVerifyTool('research_compare'),
  study: () => loadVerifyTool('study'),
  study_verify: () => loadVerifyTool('study_verify'),
}
