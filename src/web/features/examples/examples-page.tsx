import { Link, Navigate, useParams } from '@tanstack/react-router'
import { examples } from '../../../contract/gallery/examples.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { useTitle } from '../../lib/use-title.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Nav } from '../../parts/shell/nav.tsx'
import { ExampleView } from './example-view.tsx'
import styles from './examples-page.module.css'

/** Complete example tasks, as a person sees them and as an agent sends them. */
export function ExamplesPage() {
  const { workspaceId } = useWorkspace()
  const { exampleId } = useParams({ strict: false })
  const isPhone = useIsPhone()
  const example = examples.find(({ id }) => id === exampleId)
  useTitle(example ? example.title : 'Examples')

  if (!example && (exampleId !== undefined || !isPhone)) {
    const params = { workspaceId, exampleId: examples[0]!.id }
    return <Navigate to="/w/$workspaceId/examples/$exampleId" params={params} replace />
  }
  const list = (
    <nav className={styles.examplesList} aria-label="Examples">
      <div className="bar">
        <h2>Examples</h2>
        <span className="chip num">{examples.length}</span>
      </div>
      <ul>
        {examples.map(({ id, title, payload }) => (
          <li key={id}>
            <Link to="/w/$workspaceId/examples/$exampleId" params={{ workspaceId, exampleId: id }}>
              <strong>{title}</strong>
              <span>{payload.task.type}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
  return (
    <div className="app">
      <a className="skip" href={example ? '#example' : '#examples'}>
        {example ? 'Skip to example' : 'Skip to examples'}
      </a>
      <Nav />
      <div className={styles.examples}>
        {!example ? (
          <main className={styles.listAlone} id="examples" tabIndex={-1}>
            {list}
          </main>
        ) : (
          !isPhone && list
        )}
        {example && <ExampleView key={example.id} example={example} />}
      </div>
    </div>
  )
}
