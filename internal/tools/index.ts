// The list of native tools. Each is loaded only when it is described or run.
import type { Tool } from '../tool/tool.ts'

/** Loads one tool. */
type Load = () => Promise<Tool>

/** Offered only where they are asked for: what loads them is loaded with the first of them. */
const optionalNames =
  `fs_list fs_stat git_history fs_mkdir fs_move undo bash_batch terminal_start terminal_write terminal_read
  terminal_interrupt terminal_kill read_document sleep clock think branch cron scholar_search
  tool_search`.split(/\s+/)

const loadOptional =
  (name: string): Load =>
  async () =>
    (await import('./optional/index.ts')).loadOptionalTool(name)

/** Native tools by name, in the order they are listed. */
export const nativeTools: Readonly<Record<string, Load>> = {
  bash: async () => (await import('./bash.ts')).bash,
  jobs: async () => (await import('./shell/jobs.ts')).jobs,
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
  web_fetch: async () => (await import('./web_fetch.ts')).webFetch,
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
  plan_enter: async () => (await import('./session/plan_enter.ts')).planEnter,
  plan_exit: async () => (await import('./session/plan_exit.ts')).planExit,
  result: async () => (await import('./result.ts')).result,
  ...Object.fromEntries(optionalNames.map((name) => [name, loadOptional(name)])),
}
