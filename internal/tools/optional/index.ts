// The native tools that are offered only on request, each loaded when it is described or run.
import type { Tool } from '../../tool/tool.ts'

const optionalTools: Readonly<Record<string, () => Promise<Tool>>> = {
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
  tool_search: async () => (await import('../session/tool_search.ts')).toolSearch,
}

export function loadOptionalTool(name: string): Promise<Tool> {
  const load = optionalTools[name]
  if (!load) throw new Error(`${name} is not an optional tool`)
  return load()
}
