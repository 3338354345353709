// The features that sessions of this program use. What is large is loaded with its first use.
import type { RuntimeFeatures } from './features.ts'
import { openExperimentTools } from './research/experiment-tools.ts'
import { openUser } from './run/user-channel.ts'

/** Every caller of `openRuntime` passes these. */
export const features: RuntimeFeatures = {
  mail: async (scope, location) => (await import('./study/mailbox.ts')).openStudyMailbox(scope, location),
  cron: async (context, store) => (await import('./cron/workspace-jobs.ts')).openSessionCron(context, store),
  research: openExperimentTools,
  relay: async (settings, context, means) =>
    (await import('./relay/session-relay.ts')).openSessionRelay(settings, context, means),
  user: openUser,
  review: (parent) => async (request, signal) =>
    (await import('./review/reviewer.ts')).createReviewer(parent)(request, signal),
}
