import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router'
import { InboxPage } from '../features/inbox/inbox-page.tsx'
import { parseAnalysisSearch } from '../features/statistics/analysis/analysis-search.ts'
import { parseStatisticsFilters } from '../features/statistics/statistics-filters.ts'
import { sessionEvents } from '../lib/api.ts'
import { basePath } from '../lib/base-path.ts'
import { isOwnPath } from '../lib/is-own-path.ts'
import { queryClient } from '../lib/query-client.ts'
import { parseSearch, stringifySearch } from '../lib/search-params.ts'
import { Home } from '../parts/shell/home.tsx'
import { Workspace } from '../parts/shell/workspace.tsx'
import { parseHandledFilters } from '../parts/task-list/handled-filters.ts'
import { parseInboxSearch } from '../parts/task-list/inbox-filters.ts'
import { onDemandPart } from '../ui/lazy-part.tsx'
import { ProblemStrip } from '../ui/strip.tsx'

const NotFound = lazyRouteComponent(() => import('../parts/shell/not-found.tsx'), 'NotFound')
const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
// All pages but the inbox are loaded when they are opened.
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'SignInPage'),
  // Same-origin paths only, to prevent open redirects after sign-in.
  validateSearch: ({ to }: Record<string, unknown>): { to?: string | undefined } => ({
    // Set even if undefined: omitted keys would keep their value from the URL.
    to: isOwnPath(to) ? to : undefined,
  }),
})
const singleSignOn = createRoute({
  getParentRoute: () => root,
  path: '/single-sign-on',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'SingleSignOnPage'),
})
const signInLink = createRoute({
  getParentRoute: () => root,
  path: '/sign-in-link',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'SignInLinkPage'),
})
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'SetUpPage'),
})
const passwordReset = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'PasswordResetPage'),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'ForgotPasswordPage'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'InvitationPage'),
})
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe/$token',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'UnsubscribePage'),
})
const authorize = createRoute({
  getParentRoute: () => root,
  path: '/authorize',
  component: lazyRouteComponent(() => import('./auth-pages.ts'), 'AuthorizePage'),
})
// Passed to `Workspace`, because a part may not import a feature.
const TwoFactorRequiredPage = onDemandPart(async () => ({
  default: (await import('../features/account/two-factor-required-page.tsx')).TwoFactorRequiredPage,
}))
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId',
  component: () => <Workspace twoFactorRequiredPage={TwoFactorRequiredPage} />,
})
const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: () => <Navigate from="/w/$workspaceId" to="/w/$workspaceId/inbox" replace />,
})
const inbox = createRoute({
  getParentRoute: () => workspace,
  path: '/inbox',
  component: InboxPage,
  validateSearch: parseInboxSearch,
})
const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings.tsx'), 'SettingsLayout'),
})
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(() => import('./settings.tsx'), 'SettingsHome'),
})
const settingsPage = createRoute({
  getParentRoute: () => settings,
  path: '/$page',
  component: lazyRouteComponent(() => import('./settings.tsx'), 'SettingsPage'),
})
const examples = createRoute({
  getParentRoute: () => workspace,
  path: '/examples',
  component: lazyRouteComponent(() => import('../features/examples/examples-page.tsx'), 'ExamplesPage'),
})
const example = createRoute({ getParentRoute: () => examples, path: '/$exampleId' })
const task = createRoute({ getParentRoute: () => inbox, path: '/$taskId' })
const handled = createRoute({
  getParentRoute: () => workspace,
  path: '/handled',
  component: lazyRouteComponent(() => import('../features/handled/handled-page.tsx'), 'HandledPage'),
  validateSearch: parseHandledFilters,
})
const statistics = createRoute({
  getParentRoute: () => workspace,
  path: '/statistics',
  component: lazyRouteComponent(() => import('../features/statistics/statistics-page.tsx'), 'StatisticsPage'),
  validateSearch: parseStatisticsFilters,
})
const analysis = createRoute({
  getParentRoute: () => workspace,
  path: '/statistics/analysis',
  component: lazyRouteComponent(
    () => import('../features/statistics/analysis/analysis-page.tsx'),
    'AnalysisPage',
  ),
  validateSearch: parseAnalysisSearch,
})
const rules = createRoute({
  getParentRoute: () => workspace,
  path: '/rules',
  component: lazyRouteComponent(() => import('./rule-pages.ts'), 'RulesPage'),
})
const newRule = createRoute({
  getParentRoute: () => workspace,
  path: '/rules/new',
  component: lazyRouteComponent(() => import('./rule-pages.ts'), 'NewRulePage'),
})
const rule = createRoute({
  getParentRoute: () => workspace,
  path: '/rules/$ruleId',
  component: lazyRouteComponent(() => import('./rule-pages.ts'), 'RulePage'),
})
const editRule = createRoute({
  getParentRoute: () => workspace,
  path: '/rules/$ruleId/edit',
  component: lazyRouteComponent(() => import('./rule-pages.ts'), 'EditRulePage'),
})
const handledTask = createRoute({ getParentRoute: () => handled, path: '/$taskId' })

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    singleSignOn,
    signInLink,
    setUp,
    invitation,
    passwordReset,
    forgotPassword,
    unsubscribe,
    authorize,
    workspace.addChildren([
      workspaceHome,
      inbox.addChildren([task]),
      handled.addChildren([handledTask]),
      statistics,
      analysis,
      rules,
      newRule,
      rule,
      editRule,
      settings.addChildren([settingsHome, settingsPage]),
      examples.addChildren([example]),
    ]),
  ]),
  basepath: basePath || '/',
  parseSearch,
  stringifySearch,
  defaultNotFoundComponent: NotFound,
  // Shown, for example, if the script of a page can't be loaded.
  defaultErrorComponent: () => (
    <ProblemStrip message="This page couldn't be shown." onRetry={() => location.reload()} />
  ),
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** When the session ends, redirects to sign-in and back to this page afterwards. */
sessionEvents.addEventListener('ended', () => {
  const { pathname, searchStr } = router.state.location
  if (pathname === '/sign-in') return
  void router.navigate({ to: '/sign-in', search: pathname === '/' ? {} : { to: pathname + searchStr } })
})

/**
 * Loads the signed-in person again, so that the workspace asks them to set up two-factor
 * authentication.
 */
sessionEvents.addEventListener('two-factor-required', () => {
  void queryClient.invalidateQueries({ queryKey: ['me'] })
})

/** The service worker asks an open page to show the task of a push message that was tapped. */
navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent) => {
  if (data?.type === 'open' && isOwnPath(data.path)) void router.navigate({ to: data.path })
})
