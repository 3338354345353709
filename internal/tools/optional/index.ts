// The native tools that few conversations need. Each is loaded only when it is described or run.
import type { Tool } from '../../tool/tool.ts'

const loadVerifyTool = async (name: string) => (await import('../verify/index.ts')).verifyTools[name] as Tool
const loadSessionTool = async (name: string) =>
  (await import('../session/index.ts')).sessionTools[name] as Tool
const loadAgentTool = async (name: string) => (await import('../agents/index.ts')).agentTools[name] as Tool
const loadExperimentTool = async (name: string) =>
  (await import('../research/index.ts')).experimentTools[name] as Tool
const loadTerminalTool = async (name: string) =>
  (await import('../shell/index.ts')).terminalTools[name] as Tool
const loadFolderTool = async (name: string) => (await import('../files/index.ts')).folderTools[name] as Tool

const optionalTools: Readonly<Record<string, () => Promise<Tool>>> = {
  handoff: () => loadAgentTool('handoff'),
  list_skills: () => loadSessionTool('list_skills'),
  init_experiment: () => loadExperimentTool('init_experiment'),
  run_experiment: () => loadExperimentTool('run_experiment'),
  log_experiment: () => loadExperimentTool('log_experiment'),
  look_at: async () => (await import('../files/look_at.ts')).lookAt,
  find_thread: () => loadAgentTool('find_thread'),
  read_thread: () => loadAgentTool('read_thread'),
  fs_list: () => loadFolderTool('fs_list'),
  fs_stat: () => loadFolderTool('fs_stat'),
  git_history: async () => (await import('../code/git_history.ts')).gitHistory,
  fs_mkdir: () => loadFolderTool('fs_mkdir'),
  fs_move: () => loadFolderTool('fs_move'),
  undo: () => loadFolderTool('undo'),
  bash_batch: async () => (await import('../shell/bash_batch.ts')).bashBatch,
  terminal_start: () => loadTerminalTool('terminal_start'),
  terminal_write: () => loadTerminalTool('terminal_write'),
  terminal_read: () => loadTerminalTool('terminal_read'),
  terminal_interrupt: () => loadTerminalTool('terminal_interrupt'),
  terminal_kill: () => loadTerminalTool('terminal_kill'),
  read_document: async () => (await import('../files/read_document.ts')).readDocumentTool,
  sleep: () => loadSessionTool('sleep'),
  clock: () => loadSessionTool('clock'),
  think: () => loadSessionTool('think'),
  branch: () => loadAgentTool('branch'),
  cron: () => loadSessionTool('cron'),
  scholar_search: async () => (await import('../web/scholar_search.ts')).scholarSearch,
  prove: () => loadVerifyTool('prove'),
  research_compare: () => loadVerifyTool('research_compare'),
  study: () => loadVerifyTool('study'),
  study_verify: () => loadVerifyTool('study_verify'),
  tool_search: () => loadSessionTool('tool_search'),
}

export function loadOptionalTool(name: string): Promise<Tool> {
  const load = optionalTools[name]
  if (!load) throw new Error(`${name} is not an optional tool`)
  return load()
}
