// Stored answers "always" to approvals in a workspace, each of which is a rule. They can be
// listed and revoked.
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'
import { withDataStore } from '../../runtime/workspace/data-store.ts'

/**
 * Returns the rule of each stored answer with the number by which the user can revoke it. Does not
 * create a store.
 */
export async function listStoredAnswers(
  workspace: string,
  env: EnvironmentVariables,
): Promise<{ id: string; rule: PermissionRule }[]> {
  if (!existsSync(join(dataDir(env), 'anode.db'))) return []
  return withDataStore(env, (store) =>
    store.answers.list(workspace).map((answer) => ({
      id: String(answer.id),
      rule: { ...(answer.rule as unknown as PermissionRule), origin: 'answer' },
    })),
  )
}

/** Revokes an answer. Resolves to false if the workspace has no answer with that number. */
export async function forgetStoredAnswer(
  cwd: string,
  id: number,
  env: EnvironmentVariables,
): Promise<boolean> {
  return withDataStore(env, (store) => store.answers.forget(realpathSync(cwd), id))
}
