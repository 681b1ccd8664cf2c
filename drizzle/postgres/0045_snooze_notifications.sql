DROP INDEX "discussion_mentions_user";--> statement-breakpoint
ALTER TABLE "discussion_mentions" ADD COLUMN "snoozed_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "discussion_mentions_shown" ON "discussion_mentions" USING btree ("user_id",(case when "snoozed_until" is null then "created_at" else "snoozed_until" end),"event_id");