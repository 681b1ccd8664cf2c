import { Button, Text } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { ApiProblem } from '../../../shared/client.ts'
import { day } from './days.ts'
import { DayBars } from '../../ui/day-bars.tsx'
import { JobProgress } from '../../ui/job-progress.tsx'
import type { Page } from '../../lib/paging.ts'
import type { Job } from '../../lib/types.ts'
import { illustrations } from '../../ui/illustrations.tsx'
import { Loaded, Paged } from '../../ui/loaded.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Section } from '../../ui/section.tsx'
import {
  EmptyState,
  ErrorState,
  ListSkeleton,
  PageLoading,
  PageSkeleton,
  SignInState,
} from '../../ui/states.tsx'
import { endless, Row, Sample, unbroken } from './sample.tsx'

const problem = (status: number, members: Record<string, unknown>, headers?: Headers) =>
  new ApiProblem(status, { request_id: 'req_0123456789abcdef', ...members }, headers)

const job = (status: Job['status'], progress: Job['progress']) =>
  ({ title: `A job that is ${status}`, status, progress }) as Job

const failed = { isError: true, error: new Error('The network is gone.'), refetch: () => undefined }
const answers = [
  ['answer, awaited', { isError: false }],
  ['answer', { isError: false, data: 'What was asked for' }],
  ['answer, failed', failed],
] as const
const some = { pages: [{ items: ['one', 'two'] }] }
const lists = [
  ['pages, empty', { isError: false, data: { pages: [{ items: [] }] } }],
  ['pages, with more', { isError: false, data: some, hasNextPage: true }],
  ['pages, the next on its way', { isError: false, data: some, hasNextPage: true, isFetchingNextPage: true }],
  ['pages, the next failed', { ...failed, data: some }],
] as const

/** What stands for a list or a page: nothing, a fault, a wait, work that goes on. */
export function StateParts() {
  return (
    <>
      <Section title="Empty">
        <EmptyState
          title="No models yet"
          deed={{ kind: 'upload', repo: 'you/model', type: 'model', isNew: true }}
        >
          Upload a folder here, or from a terminal.
        </EmptyState>
        <EmptyState
          title="Nothing matches"
          picture="search"
          action={<Button size="xs">Clear the filters</Button>}
        >
          {endless}
        </EmptyState>
        <EmptyState title={unbroken} picture="lock" />
        <SignInState next="/design" />
        <Row>
          {illustrations.map((name) => (
            <Sample key={name} state={name}>
              <Picture of={name} />
            </Sample>
          ))}
        </Row>
      </Section>

      <Section title="Errors">
        <ErrorState error={new Error('The network is gone.')} onRetry={() => undefined} />
        <ErrorState
          error={problem(
            429,
            { code: 'throttled', title: 'Too many requests' },
            new Headers({ 'retry-after': '90' }),
          )}
          onRetry={() => undefined}
        />
        <ErrorState
          error={problem(500, { code: 'internal', title: 'The server failed', detail: unbroken + endless })}
        />
        <ErrorState
          error={problem(404, { code: 'repo-not-found', title: 'No such repo', detail: unbroken })}
        />
      </Section>

      <Section title="Loading">
        <Sample state="list">
          <ListSkeleton rows={3} />
        </Sample>
        <Sample state="page">
          <PageSkeleton />
        </Sample>
        <Sample state="page, before its code is there">
          <PageLoading />
        </Sample>
        {answers.map(([state, answer]) => (
          <Sample key={state} state={state}>
            <Loaded query={answer as UseQueryResult<string>}>{(text) => <Text>{text}</Text>}</Loaded>
          </Sample>
        ))}
        {lists.map(([state, list]) => (
          <Sample key={state} state={state}>
            <Paged
              query={list as UseInfiniteQueryResult<InfiniteData<Page<string>>>}
              empty={<Text>The list is empty.</Text>}
            >
              {(entries) => entries.map((entry) => <Text key={entry}>{entry}</Text>)}
            </Paged>
          </Sample>
        ))}
      </Section>

      <Section title="Jobs">
        {[
          job('queued', { done: 0, unit: 'bytes' }),
          job('running', { done: 3e9, total: 8e9, unit: 'bytes', rate: 4e7, eta_seconds: 125 }),
          job('running', { done: 1200, unit: 'files' }),
          job('succeeded', { done: 8e9, total: 8e9, unit: 'bytes' }),
          job('failed', { done: 5e9, total: 8e9, unit: 'bytes' }),
          job('cancelled', { done: 0, total: 8e9, unit: 'bytes' }),
        ].map((it, i) => (
          <Sample key={i} state={it.progress.total ? it.status : `${it.status}, total unknown`}>
            <JobProgress job={it} />
          </Sample>
        ))}
      </Section>

      <Section title="Bars by day">
        <Sample state="some">
          <DayBars
            what="downloads"
            days={day(30, (i) => (i * 7) % 23)}
            most={(value) => `at most ${value} a day`}
          />
        </Sample>
        <Sample state="none">
          <DayBars what="views" days={day(30, () => 0)} most={String} height={48} />
        </Sample>
      </Section>
    </>
  )
}
