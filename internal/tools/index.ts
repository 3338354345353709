// The list of native tools. Each is loaded only when it is described or run.
import type { Tool } from '../tool/tool.ts'

/** Loads one tool. */
type Load = () => Promise<Tool>

/** Native tools by name, in the order they are listed. */
export const nativeTools: Readonly<Record<string, Load>> = {
  bash: async () => (await import('./bash.ts')).bash,
  read: async () => (await import('./read.ts')).read,
  multi_read: async () => (await import('./multi_read.ts')).multiRead,
  edit_file: async () => (await import('./edit_file.ts')).editFile,
  apply_patch: async () => (await import('./apply_patch.ts')).applyPatch,
  create_file: async () => (await import('./create_file.ts')).createFile,
  finder: async () => (await import('./finder.ts')).finder,
  glob: async () => (await import('./glob.ts')).glob,
  grep: async () => (await import('./grep.ts')).grep,
  render: async () => (await import('./render.ts')).render,
  chart: async () => (await import('./chart.ts')).chart,
  task: async () => (await import('./task.ts')).task,
  oracle: async () => (await import('./oracle.ts')).oracle,
  web_search: async () => (await import('./web_search.ts')).webSearch,
  code_review: async () => (await import('./code_review.ts')).codeReview,
  find_thread: async () => (await import('./find_thread.ts')).findThread,
  read_thread: async () => (await import('./read_thread.ts')).readThread,
  handoff: async () => (await import('./handoff.ts')).handoff,
  look_at: async () => (await import('./look_at.ts')).lookAt,
  list_skills: async () => (await import('./list_skills.ts')).listSkills,
  skill: async () => (await import('./skill.ts')).skill,
  ask_user: async () => (await import('./ask_user.ts')).askUser,
  todo_read: async () => (await import('./todo_read.ts')).todoRead,
  todo_write: async () => (await import('./todo_write.ts')).todoWrite,
  task_list: async () => (await import('./task_list.ts')).taskList,
  lsp: async () => (await import('./lsp.ts')).lsp,
  get_diagnostics: async () => (await import('./get_diagnostics.ts')).getDiagnostics,
  send_message: async () => (await import('./send_message.ts')).sendMessage,
  receive_messages: async () => (await import('./receive_messages.ts')).receiveMessages,
  init_experiment: async () => (await import('./init_experiment.ts')).initExperiment,
  run_experiment: async () => (await import('./run_experiment.ts')).runExperiment,
  log_experiment: async () => (await import('./log_experiment.ts')).logExperiment,
  result: async () => (await import('./result.ts')).result,
}
