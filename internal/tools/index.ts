// The list of native tools. Each tool is loaded only when it is described or run.
import type { Tool } from '../tool/tool.ts'

/** Loads one tool. */
type Load = () => Promise<Tool>

/** Names of the tools at the end of the listing, which most conversations do not need. */
const optionalNames =
  `fs_list fs_stat git_history fs_mkdir fs_move undo bash_batch terminal_start terminal_write terminal_read
  terminal_interrupt terminal_kill read_document sleep clock think branch cron scholar_search
  tool_search prove research_compare study study_verify`.split(/\s+/)

/** Loads a rarely used tool. The list of these tools is itself loaded only with the first of them. */
const loadOptional =
  (name: string): Load =>
  async () =>
    (await import('./optional/index.ts')).loadOptionalTool(name)

/** Native tools by name, in the order of their listing. */
export const nativeTools: Readonly<Record<string, Load>> = {
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
  task: async () => (await import('./agents/task.ts')).task,
  oracle: async () => (await import('./agents/oracle.ts')).oracle,
  web_search: async () => (await import('./web/web_search.ts')).webSearch,
  web_fetch: async () => (await import('./web/web_fetch.ts')).webFetch,
  code_review: async () => (await import('./agents/code_review.ts')).codeReview,
  find_thread: loadOptional('find_thread'),
  read_thread: loadOptional('read_thread'),
  handoff: loadOptional('handoff'),
  look_at: loadOptional('look_at'),
  list_skills: loadOptional('list_skills'),
  skill: async () => (await import('./session/skill.ts')).skill,
  ask_user: async () => (await import('./session/ask_user.ts')).askUser,
  todo_read: async () => (await import('./session/todo_read.ts')).todoRead,
  todo_write: async () => (await import('./session/todo_write.ts')).todoWrite,
  task_list: async () => (await import('./agents/task_list.ts')).taskList,
  lsp: async () => (await import('./code/lsp.ts')).lsp,
  get_diagnostics: async () => (await import('./code/get_diagnostics.ts')).getDiagnostics,
  send_message: async () => (await import('./agents/send_message.ts')).sendMessage,
  receive_messages: async () => (await import('./agents/receive_messages.ts')).receiveMessages,
  init_experiment: loadOptional('init_experiment'),
  run_experiment: loadOptional('run_experiment'),
  log_experiment: loadOptional('log_experiment'),
  plan_enter: async () => (await import('./session/plan_enter.ts')).planEnter,
  plan_exit: async () => (await import('./session/plan_exit.ts')).planExit,
  result: async () => (await import('./session/result.ts')).result,
  ...Object.fromEntries(optionalNames.map((name) => [name, loadOptional(name)])),
}
