CREATE TABLE "review_requests" (
	"discussion_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"requested_by" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_requests_discussion_id_user_id_pk" PRIMARY KEY("discussion_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "verdict" text;--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "review_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "review_requests" ADD CONSTRAINT "review_requests_discussion_id_discussions_id_fk" FOREIGN KEY ("discussion_id") REFERENCES "public"."discussions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_requests_user" ON "review_requests" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "discussion_events_reviews" ON "discussion_events" USING btree ("discussion_id","author_id","id") WHERE "discussion_events"."verdict" is not null;