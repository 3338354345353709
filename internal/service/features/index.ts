// The features of all sessions. Large modules are loaded at their first use.
import type { RuntimeFeatures } from '../../runtime/features.ts'
import { openExperimentTools } from './experiment-tools.ts'
import { openUser } from './user-channel.ts'

/** The features that every caller of `openRuntime` passes. */
export const features: RuntimeFeatures = {
  mail: async (scope, location) => (await import('./mailbox.ts')).openStudyMailbox(scope, location),
  cron: async (context, store) => (await import('./workspace-jobs.ts')).openSessionCron(context, store),
  research: openExperimentTools,
  verification: async (location) => (await import('./verification.ts')).openVerification(location),
  relay: async (settings, context, means) =>
    (await import('./session-relay.ts')).openSessionRelay(settings, context, means),
  user: openUser,
  review: (parent) => async (request, signal) =>
    (await import('./reviewer.ts')).createReviewer(parent)(request, signal),
}
