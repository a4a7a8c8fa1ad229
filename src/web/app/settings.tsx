import { Link, Navigate, Outlet, useParams } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Suspense } from 'react'
import { FailedDeliveries } from '../features/settings/failed-deliveries.tsx'
import { useIsPhone } from '../lib/use-is-phone.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { Nav } from '../parts/shell/nav.tsx'
import { Icon } from '../ui/icon.tsx'
import { ListSkeleton } from '../ui/loaded.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import styles from './settings.module.css'
import { pageGroups, pages } from './settings-pages.ts'

/** Layout under /settings: navigation and page side by side, one at a time on phones. */
export function SettingsLayout() {
  const isPhone = useIsPhone()
  return (
    <div className="app">
      <a className="skip" href="#settings">
        Skip to settings
      </a>
      <Nav />
      <div className={styles.settingsScroll}>
        <FailedDeliveries />
        <div className={styles.settings}>
          {!isPhone && <SettingsNav />}
          <main id="settings" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
    </div>
  )
}

export function SettingsHome() {
  const { workspaceId } = useWorkspace()
  const isPhone = useIsPhone()
  if (!isPhone) {
    const params = { workspaceId, page: pages[0]!.path }
    return <Navigate to="/w/$workspaceId/settings/$page" params={params} replace />
  }
  return (
    <PageFrame title="Settings">
      <SettingsNav />
    </PageFrame>
  )
}

export function SettingsPage() {
  const { workspaceId } = useWorkspace()
  const { page } = useParams({ from: '/w/$workspaceId/settings/$page' })
  const isPhone = useIsPhone()
  // Old links: the page was once called Appearance.
  if (page === 'appearance') {
    const params = { workspaceId, page: 'preferences' }
    return <Navigate to="/w/$workspaceId/settings/$page" params={params} replace />
  }
  const Page = pages.find(({ path }) => path === page)?.component
  return (
    <>
      {isPhone && (
        <Link className={styles.back} to="/w/$workspaceId/settings" params={{ workspaceId }}>
          <Icon of={ChevronLeft} />
          Settings
        </Link>
      )}
      {Page ? (
        <Suspense fallback={<ListSkeleton />}>
          <Page key={page} />
        </Suspense>
      ) : (
        <PageFrame title="Page not found" intro="Choose another settings page." />
      )}
    </>
  )
}

function SettingsNav() {
  const { workspaceId } = useWorkspace()
  return (
    <nav className={styles.subnav} aria-label="Settings">
      {pageGroups.map(({ title: groupTitle, pages: groupPages }) => (
        <section key={groupTitle}>
          <p>{groupTitle}</p>
          {groupPages.map(({ path, title }) => (
            <Link key={path} to="/w/$workspaceId/settings/$page" params={{ workspaceId, page: path }}>
              {title}
              <Icon of={ChevronRight} />
            </Link>
          ))}
        </section>
      ))}
    </nav>
  )
}
