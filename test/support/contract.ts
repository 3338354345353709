// The native tools of the contract with their levels, in its order, and the tool `result`.
import type { Level } from '../../internal/policy/level.ts'

const levels: Readonly<Record<Level, string>> = {
  auto_read:
    'read multi_read finder glob grep render chart find_thread read_thread look_at list_skills todo_read lsp get_diagnostics receive_messages result',
  external_read: 'web_search web_fetch oracle code_review',
  state_write: 'todo_write task_list send_message run_experiment log_experiment',
  confirm_execute: 'bash',
  confirm_write: 'edit_file apply_patch create_file init_experiment',
  delegated: 'task skill handoff',
  interactive: 'ask_user',
}

/** 33 tools. */
export const contract: readonly { name: string; level: Level }[] = Object.entries(levels).flatMap(
  ([level, names]) => names.split(' ').map((name) => ({ name, level: level as Level })),
)
