import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTitle } from '../../lib/use-title.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Nav } from '../../parts/shell/nav.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useFocusHeading } from '../../ui/use-focus-heading.ts'
import styles from './rules-frame.module.css'

type Props = {
  title: string
  /** Shown beside the title. */
  chip?: ReactNode
  intro?: string
  /** Shown at the end of the title's line. */
  buttons?: ReactNode
  /** Shown above everything else. */
  strip?: ReactNode
  /** Where the link above the title leads: to all rules, or to a rule. */
  back?: 'rules' | { ruleId: string; name: string }
  children: ReactNode
}

/** Layout of the pages about rules. */
export function RulesFrame({ title, chip, intro, buttons, strip, back, children }: Props) {
  const heading = useFocusHeading()
  useTitle(title)
  return (
    <div className="app">
      <a className="skip" href="#rules">
        Skip to content
      </a>
      <Nav />
      <main className={styles.page} id="rules" tabIndex={-1}>
        {strip}
        <div className={styles.content}>
          {back && <BackLink to={back} />}
          <div className={styles.head}>
            <div>
              <div className={styles.title}>
                <h1 ref={heading} tabIndex={-1}>
                  <bdi>{bidiSafe(title)}</bdi>
                </h1>
                {chip}
              </div>
              {intro && <p className={styles.intro}>{intro}</p>}
            </div>
            {buttons && <div className={styles.buttons}>{buttons}</div>}
          </div>
          {children}
        </div>
      </main>
    </div>
  )
}

function BackLink({ to }: { to: NonNullable<Props['back']> }) {
  const { workspaceId } = useWorkspace()
  const content = (name: string) => (
    <>
      <Icon of={ChevronLeft} />
      <bdi>{bidiSafe(name)}</bdi>
    </>
  )
  return to === 'rules' ? (
    <Link className={styles.back} to="/w/$workspaceId/rules" params={{ workspaceId }}>
      {content('Rules')}
    </Link>
  ) : (
    <Link
      className={styles.back}
      to="/w/$workspaceId/rules/$ruleId"
      params={{ workspaceId, ruleId: to.ruleId }}
    >
      {content(to.name)}
    </Link>
  )
}
