import { ChevronDown } from 'lucide-react'
import { DropdownMenu as Menu } from 'radix-ui'
import type { AnalysisRun } from '../../../../contract/feedback-analysis.ts'
import { pluralize } from '../../../lib/count.ts'
import { formatFullDate, formatTime } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Icon } from '../../../ui/icon.tsx'
import { MenuContent } from '../../../ui/menu-content.tsx'
import { MenuTick } from '../../../ui/menu-tick.tsx'
import { verdictOf } from '../run-state.tsx'
import styles from './analysis-bar.module.css'

type Props = { runs: AnalysisRun[]; shownId: string | undefined; onShow: (analysisId: string) => void }

/** The newest runs, newest first; selecting one shows its result. */
export function EarlierRuns({ runs, shownId, onShow }: Props) {
  const now = useNow()
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="btn small quiet">
        Earlier runs
        <Icon of={ChevronDown} />
      </Menu.Trigger>
      <MenuContent className={styles.runs} sideOffset={4}>
        <Menu.RadioGroup value={shownId ?? ''} onValueChange={onShow}>
          {runs.map((run) => (
            <Menu.RadioItem key={run.analysisId} value={run.analysisId}>
              <MenuTick />
              <span>
                {verdictOf(run)}
                {run.status === 'completed' && `, ${pluralize(run.taskCount, 'answer')}`}
              </span>
              <time dateTime={run.createdAt} title={formatFullDate(run.createdAt)}>
                {formatTime(run.createdAt, now)}
              </time>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </MenuContent>
    </Menu.Root>
  )
}
