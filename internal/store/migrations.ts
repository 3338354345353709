// The schema of the database as a numbered list of steps, and the function that applies them.
import { UserError } from '../base/errors.ts'
import type { DatabaseConnection } from './connection.ts'

/**
 * Steps of the schema. The step with number n, counted from 1, brings a database from version n - 1 to n.
 * Never edit a released step; add new steps at the end. Times are milliseconds since 1970.
 */
export const migrationSteps: readonly string[] = [
  // 1: threads. Headers and payloads are separate so that a search can locate 2,000 hits without
  // reading their texts.
  `CREATE TABLE thread (
     n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, title TEXT NOT NULL,
     profile TEXT NOT NULL, model TEXT, parent TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL,
     archived INTEGER NOT NULL DEFAULT 0, events INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX thread_newest ON thread (workspace, updated);
   CREATE INDEX thread_updated ON thread (updated);
   CREATE TABLE thread_run (
     thread INTEGER NOT NULL REFERENCES thread ON DELETE CASCADE, run TEXT NOT NULL, seq INTEGER NOT NULL,
     PRIMARY KEY (thread, run)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE thread_event (
     n INTEGER PRIMARY KEY, thread INTEGER NOT NULL REFERENCES thread ON DELETE CASCADE, pos INTEGER NOT NULL,
     id TEXT NOT NULL, run TEXT NOT NULL, seq INTEGER NOT NULL, ts INTEGER NOT NULL, type TEXT NOT NULL,
     status TEXT, call TEXT, whole TEXT, UNIQUE (thread, pos)
   ) STRICT;
   CREATE INDEX thread_event_call ON thread_event (call) WHERE call IS NOT NULL;
   CREATE INDEX thread_event_whole ON thread_event (whole) WHERE whole IS NOT NULL;
   CREATE TABLE thread_payload (
     n INTEGER PRIMARY KEY REFERENCES thread_event ON DELETE CASCADE, json TEXT NOT NULL
   ) STRICT;
   CREATE VIRTUAL TABLE thread_text USING fts5 (
     text, scope, content='', contentless_delete=1, tokenize='porter unicode61'
   );`,

  // 2: todo lists, tasks of repositories, permission answers
  `CREATE TABLE todo (
     list TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL,
     status TEXT NOT NULL, active_form TEXT, PRIMARY KEY (list, place), UNIQUE (list, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE repo_task (
     n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, repo TEXT NOT NULL, title TEXT NOT NULL,
     description TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('open', 'in_progress', 'completed')),
     parent TEXT REFERENCES repo_task (id) ON DELETE SET NULL,
     created INTEGER NOT NULL, updated INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX repo_task_repo ON repo_task (repo);
   CREATE INDEX repo_task_parent ON repo_task (parent) WHERE parent IS NOT NULL;
   CREATE TABLE repo_task_dependency (
     task TEXT NOT NULL REFERENCES repo_task (id) ON DELETE CASCADE,
     needs TEXT NOT NULL REFERENCES repo_task (id) ON DELETE CASCADE,
     place INTEGER NOT NULL, PRIMARY KEY (task, needs)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX repo_task_needed ON repo_task_dependency (needs);
   CREATE TABLE answer (
     id INTEGER PRIMARY KEY AUTOINCREMENT, workspace TEXT NOT NULL, rule TEXT NOT NULL,
     created INTEGER NOT NULL, UNIQUE (workspace, rule)
   ) STRICT;`,

  // 3: mail. n is the order of arrival. Clocks of processes differ, and a ULID depends on such a clock.
  `CREATE TABLE message (
     n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, sender TEXT NOT NULL,
     recipient TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, meta TEXT NOT NULL, dedupe_key TEXT,
     dedupe_until INTEGER, created INTEGER NOT NULL, expires INTEGER NOT NULL,
     UNIQUE (scope, recipient, dedupe_key)
   ) STRICT;
   CREATE TABLE mailbox (
     scope TEXT NOT NULL, name TEXT NOT NULL, waiting INTEGER NOT NULL DEFAULT 0,
     read_at INTEGER, joined INTEGER, ended INTEGER, PRIMARY KEY (scope, name)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE delivery (
     message TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE, recipient TEXT NOT NULL,
     scope TEXT NOT NULL, sender TEXT NOT NULL, n INTEGER NOT NULL, type TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('queued', 'leased', 'acked', 'dead')), reason TEXT,
     lease_until INTEGER, lease_owner TEXT, attempts INTEGER NOT NULL DEFAULT 0, acked_step TEXT,
     expires INTEGER NOT NULL, changed INTEGER NOT NULL, PRIMARY KEY (message, recipient)
   ) STRICT;
   CREATE INDEX delivery_next ON delivery (scope, recipient, sender, n) WHERE state IN ('queued', 'leased');
   CREATE INDEX delivery_lease ON delivery (lease_until) WHERE state = 'leased';
   CREATE INDEX delivery_expiry ON delivery (expires) WHERE state IN ('queued', 'leased');
   CREATE INDEX delivery_done ON delivery (changed) WHERE state IN ('acked', 'dead');
   CREATE TRIGGER delivery_in AFTER INSERT ON delivery WHEN NEW.state IN ('queued', 'leased') BEGIN
     UPDATE mailbox SET waiting = waiting + 1 WHERE scope = NEW.scope AND name = NEW.recipient;
   END;
   CREATE TRIGGER delivery_out AFTER UPDATE OF state ON delivery
   WHEN OLD.state IN ('queued', 'leased') AND NEW.state IN ('acked', 'dead') BEGIN
     UPDATE mailbox SET waiting = waiting - 1 WHERE scope = NEW.scope AND name = NEW.recipient;
   END;
   CREATE TRIGGER delivery_gone AFTER DELETE ON delivery WHEN OLD.state IN ('queued', 'leased') BEGIN
     UPDATE mailbox SET waiting = waiting - 1 WHERE scope = OLD.scope AND name = OLD.recipient;
   END;`,

  // 4: studies. The state of a study is computed from its log; other tables contain leases, accounts,
  // reservations, blobs, and the job queue of this machine.
  `CREATE TABLE study (
     n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project TEXT, created INTEGER NOT NULL,
     last INTEGER NOT NULL DEFAULT 0, tokens REAL, usd REAL
   ) STRICT;
   CREATE INDEX study_project ON study (project);
   CREATE TABLE study_line (
     study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE, seq INTEGER NOT NULL, ts INTEGER NOT NULL,
     kind TEXT NOT NULL, key TEXT, data TEXT NOT NULL, PRIMARY KEY (study, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE UNIQUE INDEX study_line_key ON study_line (study, key) WHERE key IS NOT NULL;
   CREATE TABLE study_lease (
     study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE, task TEXT NOT NULL,
     epoch INTEGER NOT NULL DEFAULT 0, owner TEXT, until INTEGER NOT NULL DEFAULT 0,
     enqueued INTEGER NOT NULL DEFAULT 0, ended INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (study, task)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE study_account (
     study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE, task TEXT NOT NULL,
     tokens REAL NOT NULL DEFAULT 0, usd REAL NOT NULL DEFAULT 0,
     over_tokens REAL NOT NULL DEFAULT 0, over_usd REAL NOT NULL DEFAULT 0, PRIMARY KEY (study, task)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE study_reservation (
     id TEXT PRIMARY KEY, study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE, task TEXT NOT NULL,
     tokens REAL NOT NULL, usd REAL NOT NULL, live INTEGER NOT NULL DEFAULT 1
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX study_reservation_task ON study_reservation (study, task);
   CREATE TABLE study_blob (
     study INTEGER NOT NULL REFERENCES study ON DELETE CASCADE, hash TEXT NOT NULL, bytes BLOB NOT NULL,
     PRIMARY KEY (study, hash)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE study_job (
     n INTEGER PRIMARY KEY, study TEXT NOT NULL, task TEXT NOT NULL, epoch INTEGER NOT NULL,
     taken_by TEXT, UNIQUE (study, task, epoch)
   ) STRICT;`,
  // 5: the priority of a todo
  'ALTER TABLE todo ADD COLUMN priority TEXT',
  // 6: scheduled jobs and their runs. A job is enabled while it has a next scheduled time (slot).
  `CREATE TABLE cron_job (
     n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, name TEXT NOT NULL,
     schedule TEXT NOT NULL, timezone TEXT NOT NULL, kind TEXT NOT NULL, prompt TEXT NOT NULL,
     flags TEXT NOT NULL, next INTEGER, created INTEGER NOT NULL, UNIQUE (workspace, name)
   ) STRICT;
   CREATE INDEX cron_job_next ON cron_job (next) WHERE next IS NOT NULL;
   CREATE TABLE cron_run (
     n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
     job TEXT NOT NULL REFERENCES cron_job (id) ON DELETE CASCADE, slot INTEGER NOT NULL,
     state TEXT NOT NULL, late INTEGER NOT NULL, missed INTEGER NOT NULL, owner TEXT NOT NULL,
     claim TEXT NOT NULL, created INTEGER NOT NULL, started INTEGER, ended INTEGER, thread TEXT,
     exit INTEGER, note TEXT NOT NULL, UNIQUE (job, slot)
   ) STRICT;
   CREATE INDEX cron_run_open ON cron_run (state) WHERE state IN ('claimed', 'running');`,
  // 7: blobs of deleted events, which are removed after `due` if no other event names them
  'CREATE TABLE left_blob (hash TEXT PRIMARY KEY, due INTEGER NOT NULL) STRICT, WITHOUT ROWID',
]

/** `ANOD` in ASCII, which marks the file as Anode's, so that another program's database is never changed. */
export const applicationId = 0x414e4f44

/**
 * Migrates the database to the newest version. Many processes may call it at once. Throws UserError for a
 * file of a newer Anode or of another program and, with `readOnly`, for one that would have to be changed.
 */
export function migrateDatabase(db: DatabaseConnection, readOnly = false): void {
  if (readVersion(db) === migrationSteps.length) return
  if (readOnly) {
    throw new UserError(`the database ${db.file} was made by an older Anode and is open for reading only`, {
      hint: 'Run any command that writes, for example `anode doctor`, to bring it up to date.',
    })
  }
  db.write(() => {
    const from = readVersion(db)
    if (from === 0) db.exec(`PRAGMA application_id = ${applicationId}`)
    for (const step of migrationSteps.slice(from)) db.exec(step)
    db.exec(`PRAGMA user_version = ${migrationSteps.length}`)
  })
}

function readVersion(db: DatabaseConnection): number {
  const head = db.get<{ app: number; version: number; tables: number }>(
    `SELECT (SELECT application_id FROM pragma_application_id) AS app,
            (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT count(*) FROM sqlite_schema) AS tables`,
  ) ?? { app: 0, version: 0, tables: 0 }
  const empty = head.app === 0 && head.tables === 0
  if (head.app !== applicationId && !empty) {
    throw new UserError(`${db.file} is a database of another program`, {
      hint: 'Name another directory in ANODE_DATA_DIR.',
    })
  }
  if (head.version > migrationSteps.length) {
    throw new UserError(`the database ${db.file} was made by a newer Anode`, {
      hint: `It has version ${head.version}, this program knows ${migrationSteps.length}; update Anode.`,
    })
  }
  return head.version
}
