// The rules that users stored with the answer "always", by workspace.
import type { DatabaseConnection } from './connection.ts'
import type { PermissionAnswers } from './store.ts'

export function createPermissionAnswers(db: DatabaseConnection, now: () => number): PermissionAnswers {
  return {
    list: (workspace) =>
      db
        .all<{ id: number; rule: string; created: number }>(
          'SELECT id, rule, created FROM answer WHERE workspace = ? ORDER BY id',
          workspace,
        )
        .map((row) => ({ ...row, rule: JSON.parse(row.rule) as Record<string, unknown> })),
    add: (workspace, rule) => {
      db.write(() =>
        db.run(
          'INSERT INTO answer (workspace, rule, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          workspace,
          JSON.stringify(rule),
          now(),
        ),
      )
    },
    forget: (workspace, id) =>
      db.write(() => db.run('DELETE FROM answer WHERE workspace = ? AND id = ?', workspace, id).changes > 0),
  }
}
