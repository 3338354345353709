// The names that other agents use for parameters, listed under the native names. One table serves
// every native tool.
import { once } from '../../base/once.ts'

/**
 * Other names of parameters, by native name. Case, `_`, `-` and spaces do not count:
 * `filePath` is `file_path`.
 */
const generalNames = {
  path: `file_path filename file file_name absolute_path abs_path full_path relative_path target_file
    notebook_path relative_workspace_path dir directory dir_path directory_path folder folder_path
    target_directory search_path search_directory base_path root root_dir image image_path`,
  paths: 'files file_paths filenames path_list targets',
  files: 'paths file_paths',
  command: 'cmd script bash_command shell_command command_line code',
  cwd: 'workdir working_directory working_dir work_dir directory dir path',
  background: 'run_in_background is_background in_background detach async',
  old_str: 'old_string old_text old old_content search find find_text search_text original target',
  new_str:
    'new_string new_text new new_content replace replacement replace_with replacement_text insert_text',
  old: 'old_str old_string old_text old_content search find find_text search_text original target',
  new: 'new_str new_string new_text new_content replace replacement replace_with replacement_text',
  edits: 'changes replacements operations multi_edits',
  replace_all: 'all global replace_all_occurrences allow_multiple',
  unified_diff: 'diff patch udiff',
  patch: 'patch_text patch_content unified_diff content',
  content: 'file_text text contents file_content code_content body new_content',
  overwrite: 'force replace_existing',
  start_line: 'line_start from_line first_line start begin_line start_line_one_indexed',
  end_line: 'line_end to_line last_line end end_line_one_indexed end_line_one_indexed_inclusive',
  read_range: 'view_range line_range lines range',
  pattern: 'query search regexp search_pattern search_term glob glob_pattern file_pattern text needle filter',
  glob: 'include include_pattern includes file_pattern file_glob glob_pattern file_filter filter',
  exclude: 'exclude_pattern excludes ignore',
  case_sensitive: 'match_case',
  word_match: 'whole_word word_regexp words whole_words match_whole_word word',
  regex: 'is_regex use_regex is_regexp regexp regular_expression use_regexp',
  context: 'context_lines lines_of_context surrounding_lines background info',
  max_matches: 'max_count matches_per_file max_per_file',
  type: 'file_type filetype',
  include_hidden: 'hidden dot dotfiles show_hidden',
  query: 'q search search_term search_query pattern question text keywords symbol name',
  limit: 'max_results head_limit num_results max count top_k',
  max_results: 'num_results limit count max top_k n',
  domains: 'allowed_domains include_domains sites',
  exclude_domains: 'blocked_domains excluded_domains',
  url: 'uri link address href',
  question: 'prompt query message text objective',
  goal: 'prompt instructions task message objective request input',
  title: 'description name label',
  profile: 'subagent_type agent_type agent subagent agent_name role',
  max_steps: 'max_turns max_iterations turns steps',
  max_tool_calls: 'max_calls',
  tools_allowed: 'allowed_tools tools',
  read_only: 'is_read_only',
  todos: 'items todo_list tasks plan list todo_items',
  active_form: 'active active_text',
  job_id: 'id shell_id bash_id task_id process_id session_id pid',
  call_id: 'tool_call_id output_id',
  thread_id: 'id session_id conversation_id',
  recipient: 'to_agent target agent_name',
  message: 'text content msg summary',
  operation: 'action method command op',
  action: 'operation command op',
  line_number: 'row line_one_indexed lnum',
  column: 'col char column_number',
}

/** Parameter names with a special meaning for one tool. They take precedence over the general names. */
const namesByTool: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  task: { title: 'description' },
  web_search: { query: 'prompt' },
  grep: { pattern: 'regexp', limit: 'head_limit max_results' },
  finder: { mode: 'type search_type kind' },
  code_review: { diff_description: 'description prompt diff changes', instructions: 'focus' },
  look_at: { question: 'goal' },
  todo_write: { content: 'text task title step description' },
  skill: { name: 'skill skill_name command id', input: 'args arguments parameters' },
  handoff: { summary: 'description text content' },
}

/**
 * Parameters in which a model explains a call or requests more rights. Tools ignore them, because the
 * policy alone decides.
 */
const harmlessNames = `description explanation justification reason rationale reasoning purpose intent
  thought thoughts thinking comment note priority login with_escalated_permissions sandbox_permissions
  prefix_rule requires_approval security_risk dangerously_disable_sandbox yield_time_ms
  max_output_tokens line_numbers show_line_numbers n should_read_entire_file merge tty tool_summary
  wait_for_previous task_progress encoding`

const general = once(() => createNameTable(generalNames))
const tablesByTool = new Map<string, ReturnType<typeof createNameTable>>()
const harmless = once(() => new Set(harmlessNames.split(/\s+/).map(plainName)))

/** Returns the other parameter names that are valid for this tool only; undefined without any. */
function tableOf(tool: string): ReturnType<typeof createNameTable> | undefined {
  const names = namesByTool[tool]
  if (!names) return undefined
  const nameTable = tablesByTool.get(tool) ?? createNameTable(names)
  tablesByTool.set(tool, nameTable)
  return nameTable
}

function createNameTable(names: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(names).map(([parameter, others]) => [parameter, others.split(/\s+/).map(plainName)]),
  )
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

/**
 * Returns the native name of the parameter `key` of `tool`, one of `names`. The result is `undefined` for a
 * parameter that no tool needs, and `key` itself for an unknown parameter.
 */
export function findParameter(tool: string, key: string, names: readonly string[]): string | undefined {
  if (names.includes(key)) return key
  const plain = plainName(key)
  const same = names.find((name) => plainName(name) === plain)
  if (same !== undefined) return same
  for (const aliases of [tableOf(tool), general()]) {
    const match = names.find((name) => aliases?.get(name)?.includes(plain))
    if (match !== undefined) return match
  }
  return isHarmless(key) ? undefined : key
}

/** Returns true for a parameter that a tool can ignore if it has no parameter of this name. */
export function isHarmless(key: string): boolean {
  return harmless().has(plainName(key))
}
