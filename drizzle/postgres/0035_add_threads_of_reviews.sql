ALTER TABLE "discussion_events" ADD COLUMN "thread_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "resolved_at" timestamp (3) with time zone;