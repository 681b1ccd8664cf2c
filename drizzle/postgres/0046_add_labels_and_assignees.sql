CREATE TABLE "discussion_assignees" (
	"discussion_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "discussion_assignees_discussion_id_user_id_pk" PRIMARY KEY("discussion_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "discussion_label_uses" (
	"discussion_id" text COLLATE "C" NOT NULL,
	"label_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "discussion_label_uses_discussion_id_label_id_pk" PRIMARY KEY("discussion_id","label_id")
);
--> statement-breakpoint
CREATE TABLE "discussion_labels" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"color" text NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "change" jsonb;--> statement-breakpoint
ALTER TABLE "discussion_assignees" ADD CONSTRAINT "discussion_assignees_discussion_id_discussions_id_fk" FOREIGN KEY ("discussion_id") REFERENCES "public"."discussions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discussion_label_uses" ADD CONSTRAINT "discussion_label_uses_discussion_id_discussions_id_fk" FOREIGN KEY ("discussion_id") REFERENCES "public"."discussions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discussion_label_uses" ADD CONSTRAINT "discussion_label_uses_label_id_discussion_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."discussion_labels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discussion_labels" ADD CONSTRAINT "discussion_labels_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "discussion_assignees_user" ON "discussion_assignees" USING btree ("user_id","discussion_id");--> statement-breakpoint
CREATE INDEX "discussion_label_uses_label" ON "discussion_label_uses" USING btree ("label_id","discussion_id");--> statement-breakpoint
CREATE UNIQUE INDEX "discussion_labels_name" ON "discussion_labels" USING btree ("repo_id","name_key");