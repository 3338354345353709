// Approvals that were given as "always" in a workspace: listed as rules, and taken back.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The rule of each answer with its number, which takes it back. Makes no store where there is none. */
export async function listStoredAnswers(
  workspace: string,
  env: Env,
): Promise<{ id: string; rule: PermissionRule }[]> {
  if (!existsSync(join(dataDir(env), 'anode.db'))) return []
  return withDataStore(env, (store) =>
    store.answers.list(workspace).map((answer) => ({
      id: String(answer.id),
      rule: { ...(answer.rule as unknown as PermissionRule), origin: 'answer' },
    })),
  )
}

/** Resolves to false when no answer of this workspace has that number. */
export async function forgetStoredAnswer(cwd: string, id: number, env: Env): Promise<boolean> {
  return withDataStore(env, (store) => store.answers.forget(realpathSync(cwd), id))
}
