CREATE TABLE "discussion_mutes" (
	"discussion_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "discussion_mutes_discussion_id_user_id_pk" PRIMARY KEY("discussion_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "discussion_mentions" ADD COLUMN "reason" text DEFAULT 'mention' NOT NULL;--> statement-breakpoint
ALTER TABLE "discussion_mutes" ADD CONSTRAINT "discussion_mutes_discussion_id_discussions_id_fk" FOREIGN KEY ("discussion_id") REFERENCES "public"."discussions"("id") ON DELETE cascade ON UPDATE no action;