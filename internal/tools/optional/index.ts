// The native tools that few conversations need. Each is loaded only when it is described or run.
import type { Tool } from '../../tool/tool.ts'

const loadVerifyTool = async (name: string) => (await import('../verify/index.ts')).verifyTools[name] as Tool

const optionalTools: Readonly<Record<string, () => Promise<Tool>>> = {
  handoff: async () => (await import('../agents/handoff.ts')).handoff,
  list_skills: async () => (await import('../session/list_skills.ts')).listSkills,
  init_experiment: async () => (await import('../research/init_experiment.ts')).initExperiment,
  run_experiment: async () => (await import('../research/run_experiment.ts')).runExperiment,
  log_experiment: async () => (await import('../research/log_experiment.ts')).logExperiment,
  look_at: async () => (await import('../files/look_at.ts')).lookAt,
  find_thread: async () => (await import('../agents/find_thread.ts')).findThread,
  read_thread: async () => (await import('../agents/read_thread.ts')).readThread,
  fs_list: async () => (await import('../files/fs_list.ts')).fsList,
  fs_stat: async () => (await import('../files/fs_stat.ts')).fsStat,
  git_history: async () => (await import('../code/git_history.ts')).gitHistory,
  fs_mkdir: async () => (await import('../files/fs_mkdir.ts')).fsMkdir,
  fs_move: async () => (await import('../files/fs_move.ts')).fsMove,
  undo: async () => (await import('../files/undo.ts')).undo,
  bash_batch: async () => (await import('../shell/bash_batch.ts')).bashBatch,
  terminal_start: async () => (await import('../shell/terminal_start.ts')).terminalStart,
  terminal_write: async () => (await import('../shell/terminal_write.ts')).terminalWrite,
  terminal_read: async () => (await import('../shell/terminal_read.ts')).terminalRead,
  terminal_interrupt: async () => (await import('../shell/terminal_interrupt.ts')).terminalInterrupt,
  terminal_kill: async () => (await import('../shell/terminal_kill.ts')).terminalKill,
  read_document: async () => (await import('../files/read_document.ts')).readDocumentTool,
  sleep: async () => (await import('../session/sleep.ts')).sleep,
  clock: async () => (await import('../session/clock.ts')).clock,
  think: async () => (await import('../session/think.ts')).think,
  branch: async () => (await import('../agents/branch.ts')).branch,
  cron: async () => (await import('../session/cron.ts')).cron,
  scholar_search: async () => (await import('../web/scholar_search.ts')).scholarSearch,
  prove: () => loadVerifyTool('prove'),
  research_compare: () => loadVerifyTool('research_compare'),
  study: () => loadVerifyTool('study'),
  study_verify: () => loadVerifyTool('study_verify'),
  tool_search: async () => (await import('../session/tool_search.ts')).toolSearch,
}

export function loadOptionalTool(name: string): Promise<Tool> {
  const load = optionalTools[name]
  if (!load) throw new Error(`${name} is not an optional tool`)
  return load()
}
